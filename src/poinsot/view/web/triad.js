/* The axis triad in the corner. */

const AXES = [["x", "#c0504d", "#e5837f", [1, 0, 0]], ["y", "#4f8f4f", "#84c584", [0, 1, 0]], ["z", "#3f74b5", "#86b3e6", [0, 0, 1]]];

const TRIAD = AXES.map(([name, light, dark, way]) => ({ name, light, dark, way: new THREE.Vector3(...way), v: new THREE.Vector3() }));
const triadTurn = new THREE.Quaternion();

/** The directions of the world axes in the view of the camera. */
function drawTriad(canvas, camera) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2), size = 72;
  if (canvas.width !== size * ratio) canvas.width = canvas.height = size * ratio;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, size, size);
  pen.font = "600 11px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineWidth = 2;
  triadTurn.copy(camera.quaternion).invert();
  for (const axis of TRIAD) axis.v.copy(axis.way).applyQuaternion(triadTurn);
  TRIAD.sort((a, b) => a.v.z - b.v.z);
  for (const { name, light, dark, v } of TRIAD) {
    const colour = isDark() ? dark : light;
    const x = 36 + 22 * v.x, y = 36 - 22 * v.y;
    pen.strokeStyle = pen.fillStyle = colour;
    pen.globalAlpha = v.z < -0.5 ? 0.6 : 1;
    if (Math.hypot(v.x, v.y) < 0.12) {
      pen.beginPath();
      pen.arc(36, 36, 2.5, 0, 7);
      pen.fill();
      continue;
    }
    pen.beginPath();
    pen.moveTo(36, 36);
    pen.lineTo(x, y);
    pen.stroke();
    pen.fillText(name, 36 + 30 * v.x, 36 - 30 * v.y);
  }
  pen.globalAlpha = 1;
}
