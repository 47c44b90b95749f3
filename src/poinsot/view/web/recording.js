/* Pictures and videos of the scene, as it is shown: background, bodies, names, axes, time. */

const FORMATS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const RATE = 30; // frames per second of a video
const SLICE = 100, PATIENT = 5000; // ms

/** Paint the scene as it is now. The scene is drawn first: its picture is not kept by the browser. */
function paintScene(view, canvas, clock) {
  view.draw();
  const ratio = view.canvas.width / view.width, pen = canvas.getContext("2d");
  if (canvas.width !== view.canvas.width || canvas.height !== view.canvas.height) Object.assign(canvas, { width: view.canvas.width, height: view.canvas.height });
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const sky = pen.createLinearGradient(0, 0, 0, view.height);
  sky.addColorStop(0, ink("scene-top"));
  sky.addColorStop(1, ink("scene"));
  pen.fillStyle = sky;
  pen.fillRect(0, 0, view.width, view.height);
  pen.drawImage(view.canvas, 0, 0, view.width, view.height);
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  for (const { name, x, y, width } of view.labels.visible()) {
    pen.globalAlpha = 0.78;
    pen.fillStyle = ink("card");
    pen.fillRect(x, y, width, HEIGHT);
    pen.globalAlpha = 1;
    pen.fillStyle = ink("ink");
    pen.fillText(name, x + 4, y + HEIGHT / 2 + 1, width - 8);
  }
  pen.drawImage(view.triad, 8, view.height - 80, 72, 72);
  pen.fillStyle = ink("soft");
  pen.textAlign = "right";
  pen.fillText(`t = ${clock.time.toFixed(2)} s`, view.width - 10, view.height - 14);
  pen.textAlign = "left";
}

/** Save the scene as PNG. */
function savePicture(view, clock) {
  const canvas = document.createElement("canvas");
  paintScene(view, canvas, clock);
  canvas.toBlob((blob) => saveFile(`${fileName(document.title)}.png`, blob), "image/png");
}

/** Why no video can be recorded here; empty when one can. */
function noVideo() {
  if (typeof MediaRecorder === "undefined" || !HTMLCanvasElement.prototype.captureStream) return "This browser cannot record videos: use another one, or run.write_video(...) in Python.";
  if (!FORMATS.some((format) => MediaRecorder.isTypeSupported(format))) return "This browser has no video format to record in: use another one, or run.write_video(...) in Python.";
  return "";
}

/** Records the scene while the run is played once from its start, at the speed of the page. */
class Recorder {
  constructor(clock, onState) {
    Object.assign(this, { clock, onState, active: null });
  }

  start(view) {
    const canvas = document.createElement("canvas"), { clock } = this;
    const before = { loop: clock.loop, time: clock.time };
    clock.play(false);
    clock.set(clock.start);
    paintScene(view, canvas, clock);
    const format = FORMATS.find((name) => MediaRecorder.isTypeSupported(name));
    const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: format, videoBitsPerSecond: 8_000_000 });
    const chunks = [];
    recorder.addEventListener("dataavailable", (event) => event.data.size > 0 && chunks.push(event.data));
    recorder.addEventListener("stop", () => {
      this.active = null;
      clock.play(false);
      clock.loop = before.loop;
      clock.set(before.time);
      const blob = new Blob(chunks, { type: format });
      saveFile(`${fileName(document.title)}.${format.startsWith("video/mp4") ? "mp4" : "webm"}`, blob);
      this.onState(false, blob);
    });
    clock.loop = false;
    this.active = recorder;
    this.onState(true, null);
    recorder.start(SLICE);
    clock.play(true);
    let ended = 0;
    const frame = (now) => {
      if (!this.active) return;
      paintScene(view, canvas, clock);
      if (!clock.playing && ended === 0) ended = now;
      const late = ended ? now - ended : 0; // the last picture must be in it, and a slow encoder gets time to begin
      if (late > 3 * SLICE && (chunks.length > 1 || late > PATIENT)) this.stop();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop() {
    if (this.active && this.active.state !== "inactive") this.active.stop();
  }
}
