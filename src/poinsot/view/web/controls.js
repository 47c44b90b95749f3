/* Playback and keyboard: play, pause, scrub, speed, loop, and key bindings. */

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** The time of the page (s); listeners are called with every new time. */
class Clock {
  constructor() {
    Object.assign(this, { start: 0, end: 0, time: 0, playing: false, loop: true, speed: 1, listeners: [] });
  }

  /** The interval of the runs. The first one also chooses the speed. */
  load(start, end) {
    const first = this.loaded !== true;
    Object.assign(this, { start, end, loaded: true, time: Math.min(Math.max(this.time, start), end) });
    if (!first) return;
    const wanted = (end - start) / 8; // the default speed plays very short and very long runs in about eight seconds
    if (wanted < 0.2 || wanted > 6) this.speed = SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
  }

  set(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    for (const listener of this.listeners) listener(this.time);
  }

  play(on) {
    if (on === this.playing) return;
    this.playing = on;
    if (on && this.time >= this.end) this.time = this.start;
    this.last = null;
    if (on) requestAnimationFrame((now) => this.tick(now));
    for (const listener of this.listeners) listener(this.time);
  }

  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    let time = this.time + passed * this.speed;
    if (time >= this.end) {
      time = this.loop ? this.start : this.end;
      if (!this.loop) this.playing = false;
    }
    this.set(time);
    requestAnimationFrame((next) => this.tick(next));
  }
}

/** Connect the controls below the scene. */
function transport(clock, byId) {
  const slider = byId("time"), play = byId("play"), speed = byId("speed"), loop = byId("loop"), text = byId("clock");
  for (const s of SPEEDS) speed.append(element("option", { value: s }, `${s}×`));
  let step = 1, decimals = 2;
  const load = () => {
    slider.min = clock.start;
    slider.max = clock.end;
    speed.value = clock.speed;
    step = (clock.end - clock.start) / 400 || 1;
    decimals = step < 0.002 ? 4 : step < 0.02 ? 3 : 2;
  };
  slider.addEventListener("input", () => clock.set(Number(slider.value)));
  play.addEventListener("click", () => clock.play(!clock.playing));
  speed.addEventListener("change", () => {
    clock.speed = Number(speed.value);
  });
  const setLoop = (on) => {
    clock.loop = on;
    loop.setAttribute("aria-pressed", String(on));
  };
  loop.addEventListener("click", () => setLoop(!clock.loop));
  clock.listeners.push((time) => {
    slider.value = time;
    slider.setAttribute("aria-valuetext", `${time.toFixed(decimals)} s`);
    text.textContent = `${time.toFixed(decimals)} / ${clock.end.toFixed(decimals)} s`;
    play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    play.toggleAttribute("data-playing", clock.playing);
  });
  const faster = (by) => {
    const k = Math.min(Math.max(SPEEDS.indexOf(clock.speed) + by, 0), SPEEDS.length - 1);
    clock.speed = SPEEDS[k];
    speed.value = clock.speed;
  };
  return {
    load,
    faster,
    loop: () => setLoop(!clock.loop),
    step: (count) => {
      clock.play(false);
      clock.set(clock.time + count * step);
    },
  };
}

/** Key bindings with their descriptions; a key acts unless the focused field uses it. */
function keyboard(keys) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key === " " ? "space" : event.key;
    const found = keys.find(({ on }) => on.includes(key));
    if (!found) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && event.target.id !== "time") || (tag === "BUTTON" && (key === "space" || key === "Enter"))) return;
    event.preventDefault();
    found.act(event);
  });
  document.addEventListener("click", (event) => {  // a clicked button does not capture the space key
    if (event.detail > 0) event.target.closest("button")?.blur();
  });
  const list = document.getElementById("keylist");
  for (const { shown, words } of keys) if (shown) list.append(element("dt", {}, shown), element("dd", {}, words));
}
