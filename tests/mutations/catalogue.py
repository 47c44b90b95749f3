"""The mutations: what is broken, where, how, and which test must notice. Here those of kernels, layout and runs; others in `catalogue_around.py`."""

from __future__ import annotations

from catalogue_around import AROUND
from mutation import Mutation

TREE = "tests/formulations/test_tree.py::test_small_trees_against_the_oracle"
JOINTS = "tests/model/test_joints.py"
SCALARS = "tests/elements/test_scalars.py"
ORDERS = "tests/integrators/test_orders.py"
CHANGE, OWNED, INTERRUPTS = "tests/test_change.py", "tests/results/test_owned.py", "tests/test_interrupts.py"
SIMULATE = "tests/test_simulate.py"
SNIPPETS = "tests/test_design_snippets.py"
SKELETON = "tests/view/test_skeleton.py"
PAGE = "tests/view/test_page.py"
ASSEMBLE = "tests/analysis/test_assemble.py"
MOTION = "formulations/tree/motion.py"
FORWARD = "formulations/tree/folding.py"
STIFFNESS = "formulations/tree/stiffness.py"
LOOPS = "formulations/tree/loops/"
OF_LOOPS = "tests/formulations/test_tree_loops.py -k "
PLANE_LOOPS = "formulations/tree/plane/loops/"
NEARBY = "tests/formulations/test_nearby.py"
PLANE_STEPS, OF_PLANE_STEPS = "formulations/directors/plane/", "tests/formulations/test_plane_steps.py -k "
IN_PLANE, OF_PLANE_RATES = "formulations/absolute/plane/", "tests/formulations/test_plane_rates.py -k "
PLANE, OF_PLANE = "formulations/tree/plane/", "tests/formulations/test_plane_kernels.py -k "
STIFF = "tests/test_stiff.py"
FRAMES = "tests/files/test_descriptions.py -k frames"
LAWS = "tests/test_torsion_laws.py"
WORK = "tests/formulations/test_work.py"
NEWTON = "tests/integrators/test_energy_momentum_newton.py -k chain"
RESCUES = "tests/integrators/test_rescues.py"
RESELECT = "tests/analysis/test_reselect.py"
LINKAGES = "tests/test_linkages.py -k stay"
PASSED = "tests/test_linkages.py -k passed"
GIVING, GIVEN_BACK = "formulations/directors/give_back.py", "tests/formulations/test_give_back.py"
SINGULAR = "tests/analysis/test_singular.py"
CONTACTS, NEWTON_EULER = "tests/elements/test_contacts.py", "tests/formulations/test_newton_euler.py"
VARIANTS, MULTIPLIERS = "tests/formulations/test_rotation_matrix_variants.py", "tests/formulations/test_multipliers.py"
EM = "tests/integrators/test_energy_momentum.py"
ONE_STAGE = "tests/formulations/test_one_stage.py"
AGREEMENT = "tests/formulations/test_agreement.py::test_random_trees"
DIRECTED = "tests/formulations/test_directors.py -k trees"
DRIVES = "formulations/directors/stage_drives.py"
DRIVEN = "tests/test_drives.py"
CHAINS, TURNING = "tests/formulations/test_planar.py -k random_chains", "tests/formulations/test_planar.py -k turns"
SPINNING = "tests/formulations/test_planar.py::test_random_chains_that_spin"

MUTATIONS = [
    *AROUND,
    # planar chains
    Mutation("formulations/planar/chain.py", "axes that point the other way", "side *= 1.0 if B[2][2] > 0.0 else -1.0", "side *= 1.0", CHAINS),
    Mutation("formulations/planar/chain.py", "bodies beyond", "vector(link.moment)) + mass * arm", "vector(link.moment)) - mass * arm", CHAINS),
    Mutation("formulations/planar/chain.py", "turn since the last step", "complex(cos(old), -side * sin(old))", "complex(cos(old), side * sin(old))", TURNING),
    Mutation("formulations/planar/rates.py", "centrifugal force of bodies before", "total -= work[first + k * n + j] * rate * rate", "total += work[first + k * n + j] * rate * rate", CHAINS),
    Mutation("formulations/planar/rates.py", "dL/dtheta of bodies before", "total -= work[first + k * n + j] * rate\n", "total += work[first + k * n + j] * rate\n", f"{SPINNING}[L-R-H]"),
    Mutation("formulations/planar/rates.py", "effort of the next joint", "effort - outer +", "effort + outer +", CHAINS),
    Mutation("formulations/planar/rates.py", "turn of conjugate vectors", "rate * own[k] + force / square", "force / square", f"{SPINNING}[L-R-H,canonical]"),
    Mutation("formulations/planar/states.py", "turns of a joint", "y[first + i] = nearest_turn(", "y[first + i] += 0.0 * nearest_turn(", TURNING),
    Mutation("formulations/planar/places.py", "variant of a state", "5 if matrix else 3", "5 if matrix else 2", CHAINS),
    # velocity products and bias
    Mutation(MOTION, "Coriolis of a slide", "2.0 * link.lin * y[j]", "1.0 * link.lin * y[j]", TREE),
    Mutation(MOTION, "Coriolis of a translation", "scale(2.0, cross(oc", "scale(1.0, cross(oc", TREE),
    Mutation(MOTION, "centripetal", "cross(parent, cross(parent, d))", "cross(parent, cross(d, parent))", TREE),
    Mutation(MOTION, "gyration of a ball", "cross(oc, rate)", "cross(rate, oc)", TREE),
    Mutation(MOTION, "gyration of a turn", "(oc[1] * turn, -oc[0] * turn, 0.0)", "(oc[1] * turn, oc[0] * turn, 0.0)", TREE),
    Mutation(FORWARD, "gyroscopic moment", "cross(omega, apply(I, omega))", "cross(apply(I, omega), omega)", TREE),
    Mutation(FORWARD, "gravity", "scale(-1.0, gravity)", "scale(1.0, gravity)", TREE),
    Mutation(FORWARD, "bias passed by a ball", "apply(M, load3(work, base + ZETA))", "apply(M, load3(work, base + ETA))", TREE),
    # axis and transposes
    Mutation(MOTION, "axis of a slide", "column(B, 2)", "column(B, 1)", TREE),
    Mutation("algebra/matrices.py", "sense of a turn", "(c * B[0][0] + s * B[0][1], c * B[0][1] - s * B[0][0]", "(c * B[0][0] - s * B[0][1], c * B[0][1] + s * B[0][0]", TREE),
    Mutation(FORWARD, "transpose in a helical fold", "hat_times(d, transpose(H))", "hat_times(d, H)", TREE),
    Mutation(FORWARD, "transpose in the downdate of a ball", "minus(M, matmul(transpose(H), K))", "minus(M, matmul(H, K))", TREE),
    Mutation(FORWARD, "moment arm to the parent", "add(apply(E, tau), cross(d, f))", "add(apply(E, tau), cross(f, d))", TREE),
    Mutation(FORWARD, "effort of a translation", "sub(tau, f)", "sub(f, tau)", TREE),
    Mutation("formulations/tree/inverse.py", "first moment in the force", "cross(al, c), cross(omega", "cross(c, al), cross(omega", TREE),
    # joints and rows
    Mutation("model/joints.py", "pitch of a screw", "lin=self.pitch / (2 * math.pi)", "lin=self.pitch / math.pi", JOINTS),
    Mutation("model/joints.py", "order of a universal", "(Helical(self.axis), Helical(self.axis2))", "(Helical(self.axis2), Helical(self.axis))", JOINTS),
    Mutation("elements/director_scalars.py", "gradient of a distance", "negate(d), cross(d, arm_a), d, cross(arm_b, d)", "negate(d), cross(d, arm_a), d, cross(d, arm_b)", SCALARS),
    Mutation("elements/director_scalars.py", "bias of a slide", "2.0 * dot(e_rate, d_rate)", "dot(e_rate, d_rate)", SCALARS),
    Mutation("elements/director_scalars.py", "bias of an angle", "(c * c1 + s * s1)", "(c * c1 - s * s1)", SCALARS),
    # loads and energy
    Mutation("elements/wrenches.py", "sign of a spring", "-elastic - viscous", "elastic - viscous", TREE),
    Mutation("elements/laws.py", "ball spring", "scale(-layout.values[load.value], log_quaternion", "scale(layout.values[load.value], log_quaternion", TREE),
    Mutation("elements/wrenches.py", "spring: rest length", "(distance - layout.values[k + 2])", "(distance + layout.values[k + 2])", TREE),
    Mutation("elements/wrenches.py", "spring: force on the first body", "load.first, scale(-1.0, force), ra", "load.first, scale(1.0, force), ra", TREE),
    Mutation("elements/wrenches.py", "spring: point of its force", "load.second, force, rb", "load.second, force, ra", TREE),
    Mutation("elements/wrenches.py", "spring: work of its damper", "-viscous * rate", "viscous * rate", LAWS + "::test_energy_minus_work_is_constant[tree]"),
    Mutation("elements/wrenches.py", "spring: half of its energy", "0.5 * elastic", "1.0 * elastic", TREE),
    Mutation("elements/laws.py", "torsion spring: rest of an angle", "k, stretch = layout.values[load.value], x - layout.values[load.value + 1]", "k, stretch = layout.values[load.value], x + layout.values[load.value + 1]", TREE),
    Mutation("elements/frame_laws.py", "bushing: half of its energy", "0.5 * dot(x, each(stiffness, x))", "1.0 * dot(x, each(stiffness, x))", FRAMES),
    Mutation("elements/frame_laws.py", "bushing: moment of a rotation vector", "apply_transposed(left_jacobian_inverse(phi), each", "apply(left_jacobian_inverse(phi), each", FRAMES),
    Mutation("elements/frame_laws.py", "frames: where the opposite acts", "scale(-1.0, force), add(ra, d)", "scale(-1.0, force), ra", FRAMES),
    Mutation("elements/frame_laws.py", "frames: work of their dampers", "dot(viscous, velocity) + dot(braking, spin)", "dot(viscous, velocity)", FRAMES),
    Mutation("formulations/directors/stage_frames.py", "frames: balance of energy", "beyond_rounding(after - before + done, size) / square", "0.0 / square", FRAMES),
    Mutation("formulations/directors/stage_loads.py", "frames: potentials in steps", "elif layout.loads[k].potential == 1:", "elif False:", FRAMES),
    Mutation("layout/loads.py", "potentials that no step balances", "known = acts == ON_FRAMES and any(row.weights)", "known = True", "tests/files/test_descriptions.py -k balance"),
    Mutation("elements/laws.py", "torsion spring: rest of a ball", "log_quaternion(multiply(conjugate(rest), q))", "log_quaternion(multiply(rest, q))", LAWS + " -k rest_position"),
    Mutation("elements/laws.py", "torsion spring: half of the energy of a ball", "0.5 * k * dot(phi, phi)", "1.0 * k * dot(phi, phi)", LAWS),
    Mutation("elements/laws.py", "torsion spring: axes of the Euler-angle law", "apply_transposed(R, euler_angles(R))", "euler_angles(R)", LAWS),
    Mutation("elements/laws.py", "torsion spring: work of the Euler-angle law", "return moment, dot(moment, rate)", "return moment, 0.0", LAWS + " -k rest_position"),
    Mutation("algebra/rotations.py", "torsion spring: phi as the thesis prints it", "(math.atan2(R[2][1], R[2][2])", "(math.atan2(R[2][2], R[2][1])", LAWS),
    Mutation("model/forces.py", "torsion spring: choice of the law", '"joint spring" if self.conservative else "spring on euler angles"', '"joint spring"', LAWS),
    Mutation("elements/laws.py", "torsion spring: Euler-angle law in the matrix", "load.kind == JOINT_SPRING or load.kind == EULER_SPRING", "load.kind == JOINT_SPRING", LAWS),
    Mutation("elements/energy.py", "half of the kinetic energy", "0.5 * (body.mass", "1.0 * (body.mass", TREE),
    Mutation("elements/energy.py", "own angular momentum", "apply(R, own)", "own", TREE),
    Mutation("formulations/tree/joint_wrenches.py", "reaction of a reversed joint", "if joint.tree < 0", "if joint.tree > 0", TREE),
    Mutation("formulations/tree/coordinates.py", "rate of a reversed ball", "negate(apply(rotation_matrix", "(apply(rotation_matrix", TREE),
    # integrators
    Mutation("integrators/rk4.py", "a weight", "1 / 3, 1 / 6]", "1 / 3, 1 / 5]", ORDERS),
    Mutation("integrators/gauss_tableau.py", "weights", "weights = [float(evaluate(p, Decimal(1))) for p in integrals]", "weights = [1.0001 * float(evaluate(p, Decimal(1))) for p in integrals]", ORDERS),
    Mutation("integrators/gauss_step.py", "noise of rates", "best < ULPS * noise", "best < 0.0 * noise", "tests/integrators/test_rounding.py"),
    Mutation("integrators/gauss_step.py", "stage times", "velocity_rate(t + table[s, k] * h", "velocity_rate(t", ORDERS + " -k declared_order"),
    Mutation("integrators/extrapolation.py", "a node of the step before", "node, weight = before * (nodes[s - e + i] - 1.0)", "node, weight = before * (nodes[s - e + i] - 1.1)", "tests/integrators/test_gauss.py"),
    Mutation("integrators/march.py", "time of a step", "t0 + (k + part / PARTS) * h", "t0 + k * h", "tests/integrators/test_march.py"),
    # stiff stages
    Mutation(STIFFNESS, "geometric stiffness handed down", "add_diagonal(outer(d, force), -dot(force, d))", "add_diagonal(outer(d, force), dot(force, d))", STIFF),
    Mutation(STIFFNESS, "geometric stiffness of a link", "add_diagonal(outer(c, a), -dot(a, c))", "add_diagonal(outer(c, a), dot(a, c))", STIFF),
    Mutation(STIFFNESS, "damping in the matrix of a ball", "add_diagonal(spring, kappa * middle[base + DAMPING])", "add_diagonal(spring, -kappa * middle[base + DAMPING])", STIFF),
    Mutation(STIFFNESS, "stiffness in the matrix of a turn", "k2 * middle[law + STIFFNESS]", "kappa * middle[law + STIFFNESS]", STIFF),
    Mutation("integrators/gauss_newton.py", "sign of a correction", "a * x[j].real - b * x[j].imag", "a * x[j].real + b * x[j].imag", STIFF),
    # moving frame
    Mutation("formulations/moving_frame/frames.py", "Bdot of turns", "cross(w_rel, turned)", "cross(turned, w_rel)", AGREEMENT),
    Mutation("formulations/moving_frame/frames.py", "Bdot of a slide", "cross(w, slide), work)", "cross(slide, w), work)", AGREEMENT),
    Mutation("formulations/moving_frame/frames.py", "Bdot of an offset", "cross(w_p, cross(W, d))", "cross(cross(W, d), w_p)", AGREEMENT),
    Mutation("formulations/moving_frame/rates.py", "gyroscopic part of N*", "cross(w, apply(J, w))", "cross(apply(J, w), w)", AGREEMENT),
    # closed systems
    Mutation("layout/scalars.py", "second angle of two turns", "b=-np.cross(axis2, w)", "b=np.cross(axis2, w)", SCALARS),
    Mutation("layout/scalars.py", "sign in a gear", 'pair["factor"] = 1.0, -row["c"]', 'pair["factor"] = 1.0, row["c"]', ASSEMBLE),
    Mutation("analysis/row_kernels.py", "turns of a screw", "near = -values[scalar.row] / scalar.factor", "near = 0.0", JOINTS + " -k many_turns"),
    Mutation("analysis/skyline.py", "combination of rows", "c[k] -= data[other + k] * c[j]", "c[k] += data[other + k] * c[j]", "tests/analysis/test_check.py"),
    Mutation("analysis/held.py", "joints that a loop goes through", "looped[topology.joint[a]] = True", "looped[topology.joint[b]] = True", ASSEMBLE),
    Mutation("analysis/assemble.py", "held values approached in steps", "if far > NEAR and", "if far > 100 and", ASSEMBLE),
    Mutation("analysis/least_motion.py", "weights of masses", "self._W = W / (float(np.mean(W[:, 0, 0])) * reach**2 or 1.0)", "self._W = 0 * W + np.eye(6)", ASSEMBLE),
    # pictures, messages
    Mutation("view/skeleton.py", "corners in order", "for k in np.argsort(around)", "for k in range(len(points))", SKELETON),
    Mutation("view/skeleton.py", "axis of an outline", "np.roll(line, k + 1, axis=1)", "np.roll(line, k, axis=1)", SKELETON),
    Mutation("view/drawing.py", "flat only when nothing turns out of it", "if upright and", "if", SKELETON),
    Mutation("view/drawing.py", "the shorter way between outputs", "keepdims=True) < 0, -1.0, 1.0)", "keepdims=True) < 0, 1.0, 1.0)", "tests/view/test_strobe.py"),
    Mutation("view/resample.py", "highest of a stretch", "a + int(piece.argmax())", "a", "tests/view/test_panels.py"),
    Mutation("view/frames.py", "no ghosts of the frame before", "self.canvas.restore_region(self.still)", "self.still", "tests/view/test_video.py"),
    Mutation("view/video.py", "slow motion", "(speed / fps)", "(1.0 / fps)", "tests/view/test_video.py"),
    Mutation("files/runs/labelled.py", "names along a dimension", "for owner in owners]", "for owner in owners[::-1]]", "tests/files/test_labelled.py"),
    Mutation("results/efforts.py", "efforts of a servo by motor", "[motor.name for motor in element.by]", "[motor.name for motor in element.by[::-1]]", "tests/results/test_quantities.py"),
    Mutation("view/page.py", "names cannot end the data", '.replace("<", "\\\\u003c")', "", PAGE),
    Mutation("view/resample.py", "lowest of a stretch", "a + int(piece.argmin())", "a", PAGE),
    Mutation("view/resample.py", "frames evenly in time", "np.linspace(t[0], t[-1], most)", "t[:: -(-len(t) // most)]", PAGE),
    Mutation("view/scene.py", "up is against gravity", "up = -g / np.linalg.norm(g)", "up = g / np.linalg.norm(g)", PAGE),
    Mutation("view/scene.py", "what grows is not followed", "ROAMS * max(size, _largest(world))", "ROAMS * size", PAGE),
    Mutation("view/scene.py", "points that are led leave trails", "led.get(body.name, ", "{}.get(body.name, ", PAGE),
    Mutation("view/arrows.py", "what a spring pulls", "way * (pull / length)[:, None]", "-way * (pull / length)[:, None]", PAGE),
    Mutation("analysis/check.py", "what cannot be assembled is not ok", "and self.unassembled is None", "", "tests/analysis/test_check.py"),
    # energy-momentum steps
    Mutation("formulations/directors/step_ends.py", "reflection of an even method", "if s % 2 == 0:", "if s % 2 == 2:", EM + " -k conservation"),
    Mutation("formulations/directors/energy_momentum_step.py", "moments of the stages in one frame", "    if s > 1:\n        to_middle(", "    if s > 9:\n        to_middle(", EM + " -k thin_rods"),
    Mutation("formulations/absolute/changes.py", "change of an angle", "atan2(ds * c - dc * s", "atan2(ds * c + dc * s", EM + " -k power_balance"),
    Mutation("formulations/directors/stage_loads.py", "work of a motor in one stage", "h if s == 1 else 0.0", "0.0", "tests/test_closed_references.py -k logo"),
    Mutation("elements/director_scalars.py", "gradient of a slide", "cross(e, add(d, arm_a))", "cross(e, d)", DIRECTED),
    Mutation("elements/director_scalars.py", "gradient of two directions", "moment = cross(apply(DA, vector(scalar.a)), apply(DB, vector(scalar.b)))", "moment = cross(apply(DB, vector(scalar.b)), apply(DA, vector(scalar.a)))", DIRECTED),
    Mutation("linear/cholesky.py", "a pivot", "p1 = S[1][1] - l10 * l10", "p1 = S[1][1]", DIRECTED),
    Mutation("linear/cholesky.py", "numbers that vanish", "VANISHED = 1e-140", "VANISHED = 0.0", EM + " -k denormal"),
    Mutation("linear/cholesky.py", "update of a block", "store33(blocks, b, minus(load33(blocks, b), matmul(", "store33(blocks, b, plus(load33(blocks, b), matmul(", DIRECTED),
    Mutation("linear/unsymmetric.py", "blocks above the diagonal", "matmul(load33(mirrored, other), A)", "matmul(load33(mirrored, other), C)", ONE_STAGE + " -k elimination"),
    Mutation("formulations/directors/one_stage.py", "rows at the end of a step", "set_point_legs(legs_ahead, term, ahead)", "set_point_legs(legs_ahead, term, poses)", ONE_STAGE + " -k quadratically"),
    Mutation("formulations/directors/one_stage.py", "turn of the end of a step", "sub(eta, cross(t, eta))", "add(eta, cross(t, eta))", ONE_STAGE + " -k quadratically"),
    Mutation("formulations/directors/iteration.py", "new matrices of one stage", "                build_next = True\n", "                build_next = False\n", ONE_STAGE + " -k new_matrix"),
    Mutation("formulations/directors/stage_loads.py", "correction of a potential", "correction = missing_work(", "correction = 0.0 * missing_work(", EM + " -k conservation"),
    Mutation("formulations/directors/energy_momentum_newton.py", "difference of two evaluations", "(room.start[k] - changes[k]) / apart", "(changes[k] - room.start[k]) / apart", NEWTON),
    Mutation("formulations/directors/energy_momentum_newton.py", "second start of Newton's method", "(start != begun or one)", "start == 99", RESCUES),
    Mutation("formulations/directors/newton_starts.py", "best start", "if plain <= least:", "if plain < 0.0:", NEWTON.replace("chain", "three")),
    Mutation("formulations/directors/iteration.py", "pace of an iteration", "3.0 * log(tolerance", "1.0 * log(tolerance", EM + " -k left"),
    Mutation("formulations/directors/energy_momentum_memory.py", "steps rescued at once", "RESCUES_LEFT)] > 0.0", "RESCUES_LEFT)] > 99.0", "tests/integrators/test_energy_momentum_newton.py -k top"),
    Mutation("formulations/directors/energy_momentum_memory.py", "steps that predict best", "if error < least:", "if error > 0.0:", EM + " -k predict"),
    Mutation("linear/krylov.py", "solution from directions", "room[noted + i] -= c * room[column + i]", "room[noted + i] += c * room[column + i]", "tests/formulations/test_krylov.py"),
    Mutation("linear/dense.py", "three right sides at once", "-A[k * n + j], load3(X, 3 * j)", "A[k * n + j], load3(X, 3 * j)", "tests/formulations/test_dense.py"),
    Mutation("formulations/directors/one_stage.py", "tensions in a rescue", "whole if tense or", "whole if", RESCUES),
    Mutation("formulations/directors/energy_momentum_newton.py", "directions that serve again", "NEARBY = 0.002", "NEARBY = 0.0", RESCUES),
    Mutation("formulations/directors/energy_momentum_newton.py", "steps given up", "DISTANT_YET, MOST_DISTANT = 0.3, 80", "DISTANT_YET, MOST_DISTANT = 0.3, 800", RESCUES),
    Mutation("formulations/directors/newton_equations.py", "directors nearby", "left = minus(D, load33(near", "left = plus(D, load33(near", RESCUES),
    Mutation("formulations/directors/energy_momentum_step.py", "a step that is rescued", "return STIFF if method[WATCH] == 1.0", "return STIFF if method[WATCH] == 2.0", NEWTON),
    Mutation("formulations/absolute/weak_rows.py", "rows that become dependent", "if pivot >= WEAK:", "if pivot >= 0.0:", RESELECT),
    Mutation("tables/records.py", "addresses of tables that were replaced", "            if table is not old:\n", "            if table is old:\n", "tests/layout/test_layout_type.py"),
    Mutation("tables/records.py", "addresses that travel", "        return Layout, tuple(self)", "        return Layout, tuple(self), self.__dict__", "tests/layout/test_layout_type.py"),
    Mutation("tables/records.py", "lanes of a stacked layout", "[k * n : (k + 1) * n] for name", "[:n] for name", "tests/layout/test_layout_type.py"),
    Mutation("tables/layout_type.py", "kernels cached for other tables", "        return LayoutType, (self.name,)\n", "        return LayoutType, ()\n", "tests/layout/test_layout_type.py"),
    Mutation("formulations/tree/loops/rows.py", "rows that vanish on joint coordinates", "    if judged:\n", "    if judged and layout.terms.shape[0] < 0:\n", "tests/formulations/test_rotation_matrix.py -k anew"),
    # rates nearby, adaptive steps
    Mutation(LOOPS + "nearby.py", "rows nearby", "    add_row_wrenches(layout, work)\n", "", NEARBY),
    Mutation(LOOPS + "nearby.py", "bodies at rest nearby", "    seen_accelerations(layout, work, work[places.push(at)])\n", "", NEARBY),
    Mutation(LOOPS + "nearby.py", "factors next to singular positions", " or work[layout.places[0].pivot] < CLEAR", "", f"{NEARBY} -k singular"),
    Mutation(LOOPS + "corrections.py", "a second correction", "return part <= ONCE if k == 0", "return part <= 1e9 * ONCE if k == 0", f"{NEARBY} -k further"),
    Mutation(PLANE_LOOPS + "nearby.py", "rows nearby in the plane", "    add_row_wrenches(layout, work)\n", "", NEARBY),
    Mutation(PLANE_LOOPS + "nearby.py", "slides nearby in the plane", "            n += over * work[base + GAIN]\n", "", NEARBY),
    Mutation(PLANE_LOOPS + "nearby.py", "products of velocities after a projection", "    move_links(y, layout, work)  # a projection left them placed, without products of velocities\n", "", NEARBY),
    Mutation(PLANE_LOOPS + "nearby.py", "products of velocities again", "        if k > 0:\n            move_links(y, layout, work)", "        if k > MOST:\n            move_links(y, layout, work)", f"{NEARBY} -k further"),
    Mutation(PLANE_LOOPS + "nearby.py", "external wrenches nearby in the plane", "n, f = n - work[base + EXTERNAL], sub2", "n, f = n, sub2", NEARBY),
    Mutation(PLANE_LOOPS + "rates.py", "multipliers kept for rates nearby", "    copy(step, work[own.multipliers(at)])\n", "", NEARBY),
    Mutation(LOOPS + "once.py", "one correction of positions", "    move(y, layout, work[respond(layout, work) :])\n    set_row_rates", "    respond(layout, work)\n    set_row_rates", f"{NEARBY} -k one_correction"),
    Mutation(LOOPS + "once.py", "one correction of velocities", "    for k in range(layout.sizes[N_V]):\n        y[nq + k]", "    for k in range(0):\n        y[nq + k]", f"{NEARBY} -k one_correction"),
    Mutation(LOOPS + "projection_limits.py", "one correction of states moved far", " and room[1] <= BRIEF", "", f"{NEARBY} -k one_correction"),
    Mutation(LOOPS + "tables.py", "bodies that closing joints see", "for table in (used, closing)", "for table in (used[:0], closing[:0])", f"{NEARBY} -k one_correction"),
    Mutation("integrators/adams.py", "orders rise where steps are unequal", "size = h * product * (k + 1) * h / (times[0] - times[k + 1])", "size = 1e3 * h", "tests/integrators/test_adams.py -k rise"),
    Mutation("integrators/adams.py", "rounding ends the rise of orders", "(down and same > NEGLIGIBLE)", "down", "tests/integrators/test_adams.py -k says_nothing"),
    Mutation("integrators/adams.py", "outputs at the ends of steps", "            status = project(due,", "            status = OK if due == t else project(due,", "tests/integrators/test_adams.py -k closed_to_rounding"),
    Mutation("integrators/adams.py", "the derivative nearby", "rate[i] = change[i] + ahead[0, i]", "rate[i] = change[i]", f"{NEARBY} -k adams"),
    Mutation("integrators/adaptive.py", "stages of dense output", "        if status == OK and due:\n            status =", "        if status == OK and due:\n            tried =", "tests/integrators/test_adaptive.py -k dense_output_that"),
    Mutation("integrators/adams_formulas.py", "the highest difference", "change - found[(k + 1) * width + c]", "change + found[(k + 1) * width + c]", "tests/integrators/test_adams.py -k 'order or polynomials'"),
    Mutation("analysis/reselect.py", "rows chosen anew as many as before", "chosen = judged.choose(len(kept))", "chosen = judged.choose(len(kept) - 1)", RESELECT),
    Mutation("analysis/reselect.py", "rows chosen anew only when clearer", "> BETTER * judged.clearest(kept)", "> 1e9 * judged.clearest(kept)", RESELECT),
    Mutation("analysis/redundancy.py", "rows left out among those they depend on", "np.lexsort((decided & ~chosen, part))", "np.lexsort((part, part))", "tests/analysis/test_unique_reactions.py"),
    Mutation(GIVING, "forbidden velocities stay", "velocities[k] = factor * allowed[k]", "velocities[k] = velocities[k]", GIVEN_BACK),
    Mutation(GIVING, "forbidden energy is lost", "enlarge(layout, sqrt(whole / kept), allowed, velocities)", "enlarge(layout, 1.0, allowed, velocities)", GIVEN_BACK),
    Mutation(GIVING, "parts that float", "if layout.frames[b].grounded == 1:\n            for k", "if layout.frames[b].grounded >= 0:\n            for k", GIVEN_BACK),
    Mutation(GIVING, "work of closing gaps", "sqrt(1.0 - 2.0 * gained / whole)", "1.0", "tests/test_linkages.py -k closing_gaps"),
    Mutation("formulations/directors/energy_momentum_newton.py", "giving back", "            give_back(layout, y,", "            0 * len(room)  # (layout, y,", PASSED),
    Mutation("formulations/directors/energy_momentum_step.py", "gaps taken back", "add_multiple(False, 1.0 / h, row_gaps", "add_multiple(False, 0.0 / h, row_gaps", LINKAGES),
    Mutation("formulations/directors/step_ends.py", "joints that open", "return OPENED", "pass", "tests/test_linkages.py -k open_stops"),
    Mutation("formulations/absolute/openings.py", "rows left out are watched", "add_row_values(layout.left_out, y, layout, gaps)", "pass", "tests/test_linkages.py -k open_stops"),
    Mutation("formulations/directors/iteration.py", "settled equations at singular positions", "or (error < BLURRED and left <= BALANCED * first)", "", EM + " -k rounding"),
    Mutation("analysis/rank.py", "redundant up to ten digits", "REDUNDANT = 1e-9", "REDUNDANT = 1e-14", SINGULAR),
    Mutation("analysis/rank.py", "rows between bodies that other loops carry", "np.union1d(carried[label[carried] == part], geometry.row_bodies[rows])", "carried[label[carried] == part]", "tests/analysis/test_check.py -k two_thousand"),
    Mutation("analysis/singular.py", "second order", "CURVED = 1e-4", "CURVED = 1e4", SINGULAR),
    Mutation("analysis/singular.py", "branches that velocities follow", "lost < TANGENT", "True", SINGULAR),
    Mutation("analysis/assemble.py", "whole turns lead back", "way = way - turns", "way = way - 0 * turns", ASSEMBLE + " -k turns"),
    Mutation("layout/plane.py", "rows out of the plane", "return slides |", "return 0 * slides |", SINGULAR + " -k plane"),
    Mutation("integrators/adaptive.py", "nothing to step", "total / max(n, 1)", "total / n", "tests/integrators/test_adaptive.py -k nothing"),
    Mutation("results/trajectory.py", "results from the rows that were in use", "if not self.selections:", "if True:", RESELECT + " -k in_use"),
    # rotation matrices
    Mutation("formulations/rotation_matrix/lyapunov.py", "D^-T in place of D", "    r = reciprocal(D)\n", "    r = (column(D, 0), column(D, 1), column(D, 2))\n", "tests/formulations/test_rotation_matrix.py -k eliminated"),
    Mutation("formulations/rotation_matrix/rates.py", "moment of the spin", "cross(w, apply(J, w))", "cross(apply(J, w), w)", VARIANTS + " -k random"),
    # constraints on velocities
    Mutation("elements/contacts.py", "second derivative of the height of a disc", "(k_rate * k_rate + k * k_bend) / s +", "(k_rate * k_rate - k * k_bend) / s +", CONTACTS),
    Mutation("elements/contacts.py", "a contact moves over its wheel", "-r * k * k_rate / (s * s * s), m)", "r * k * k_rate / (s * s * s), m)", CONTACTS),
    Mutation("elements/contacts.py", "a blade turns with its body", "e, e_rate, down, down_rate = f, f_rate, ZERO, ZERO", "e, e_rate, down, down_rate = f, ZERO, ZERO, ZERO", CONTACTS),
    Mutation("elements/contacts.py", "moment of a height", "r * k / s, tilt),\n            n,", "-r * k / s, tilt),\n            n,", CONTACTS),
    Mutation("elements/user_rows.py", "users' rows change along the motion", "bend + along_time(", "along_time(", "tests/model/test_user_rows.py -k independent"),
    Mutation("elements/user_rows.py", "users' rows change in time", "bend + along_time(address, row, t, poses, twists, data, now)", "bend", "tests/model/test_user_rows.py -k independent"),
    Mutation("formulations/absolute/coordinates.py", "rates that users' rows ask for", "step[term.row] -= right_side(", "step[term.row] += right_side(", "tests/model/test_user_rows.py -k parameters_change"),
    Mutation("formulations/directors/row_work.py", "work of users' rows", "total += step.h * step.method", "total -= step.h * step.method", "tests/model/test_user_rows.py -k work"),
    Mutation("analysis/closing.py", "right-hand sides that contradict each other", "good = max(best, missed) <=", "good = best <=", "tests/model/test_user_rows.py -k contradict"),
    Mutation("analysis/reduction.py", "forces on the velocities that are left", "Z.T @ (F - at.mass @ c)", "Z.T @ F", "tests/analysis/test_reduction.py -k oracle"),
    Mutation("analysis/constraints.py", "velocities do not place bodies", 'self.closing & (rows["kind"] < SLIP)', "self.closing", "tests/model/test_rolling.py -k assembly"),
    Mutation("formulations/directors/step_ends.py", "energy of gaps that discs leave", "(weak or at.curved == 1)", "weak", "tests/model/test_rolling.py -k orders"),
    Mutation("results/tally.py", "constraints tie a system to the ground", "free and not _tied(frozen) and", "free and", "tests/model/test_rolling.py -k incline"),
    Mutation("analysis/redundancy.py", "freedoms of position", "geometry.closing & ~geometry.placing", "geometry.closing & geometry.placing", "tests/model/test_rolling.py -k turntable"),
    Mutation("formulations/newton_euler/attitude.py", "rates of Euler angles", "omega[0] - sb * across / cb", "omega[0] + sb * across / cb", NEWTON_EULER),
    Mutation("formulations/newton_euler/attitude.py", "Euler angles near their singularity", "cos(y[k + PLACE + 1]) < NEAR", "False", NEWTON_EULER + " -k singularity"),
    Mutation("formulations/rotation_matrix/variant_rates.py", "multipliers at every stage", "    frozen = at.variant & FROZEN\n", "    frozen = 1\n", VARIANTS + " -k random"),
    Mutation("formulations/rotation_matrix/one_step.py", "bodies see the joints", "respond(layout, y, b, scale(1.0 / frame.mass, force), turned", "respond(layout, y, b, scale(2.0 / frame.mass, force), turned", VARIANTS + " -k random"),
    Mutation("formulations/rotation_matrix/point_forces.py", "where forces enter a body", "minus(outer(force, s), moment_dyad", "minus(outer(s, force), moment_dyad", MULTIPLIERS),
    Mutation("formulations/rotation_matrix/point_forces.py", "springs pull at their points", "            push_point(y, load.second, s, scale(-1.0, force), result)\n", "", MULTIPLIERS + " -k pull"),
    Mutation("formulations/rotation_matrix/lyapunov.py", "multipliers of a body", "S[i][j] * E[i] + S[j][i] * E[j]", "S[i][j] * E[j] + S[j][i] * E[i]", MULTIPLIERS),
    Mutation("formulations/absolute/reactions.py", "Baumgarte's damping", "step[term.row] += 2.0 * c * (term.factor * rate", "step[term.row] -= 2.0 * c * (term.factor * rate", VARIANTS + " -k drift"),
    Mutation("formulations/absolute/put_back.py", "outputs are put back onto signals", "move(layout.bodies.shape[0], push, y)", "pass", "tests/test_drives.py -k methods_for_rates"),
    Mutation("formulations/absolute/drives.py", "power of drives", "total[0] += drive_power", "total[0] -= drive_power", "tests/test_drives.py -k adaptive"),
    Mutation("integrators/adams.py", "a sample begins anew", "            memory[AGAIN] = 1.0\n", "            memory[AGAIN] = 0.0\n", "tests/integrators/test_adams.py -k anew"),
    Mutation("integrators/adams_formulas.py", "steps of unequal size", "b[j - 1] * spans[j] / (times[0] - times[j])", "b[j - 1]", "tests/integrators/test_adams.py -k exact"),
    Mutation("integrators/adams.py", "the corrector's order is one more", "spare[i] = h * g[k] * change[i]", "spare[i] = h * g[k - 1] * change[i]", "tests/integrators/test_adams.py -k corrector"),
    Mutation("integrators/adaptive.py", "errors of the work", "return abs(change) / allowed if allowed > 0.0 else 0.0", "return 0.0", "tests/formulations/test_work.py -k tolerances"),
    Mutation("integrators/adams.py", "errors of the work", "none = max(none, work_error(u, y, end, method))", "none = none + 0.0", "tests/formulations/test_work.py -k tolerances"),
    Mutation("model/contents.py", "masks have no bytes", "kind is np.ndarray or", "issubclass(kind, np.ndarray) or", "tests/test_remembered.py -k more_than_it_shows"),
    Mutation("integrators/adaptive.py", "pulses are not stepped over", "(LARGEST_PART if watched else 1.0)", "1.0", "tests/integrators/test_adaptive.py -k pulse"),
    Mutation("integrators/adaptive.py", "stages that fail are tried again", "(NOT_CONVERGED, NOT_FINITE, SINGULAR, GIMBAL_LOCK)", "(NOT_CONVERGED, NOT_FINITE, GIMBAL_LOCK)", "tests/integrators/test_adaptive.py -k again"),
    Mutation("formulations/absolute/put_back.py", "rows chosen anew", "at.n_left_out > 0 else PROJECTED", "at.n_left_out > 99 else PROJECTED", "tests/formulations/test_rotation_matrix.py -k rows"),
    Mutation("formulations/absolute/put_back.py", "rates near singular positions on the constraints", "return y[layout.places[0].efforts] != 0.0", "return False", "tests/formulations/test_rotation_matrix_projection.py -k singular"),
    Mutation("formulations/absolute/closing.py", "rows left out close too", "closed = largest <= rounding and (beside <= rounding or beside > 0.5 * last_beside)", "closed = largest <= rounding", "tests/formulations/test_rotation_matrix_projection.py -k left_out"),
    Mutation("formulations/absolute/closing.py", "velocities are put back", "        twists[k] = push[k]\n", "        twists[k] = twists[k]\n", "tests/formulations/test_rotation_matrix_projection.py -k energy_drifts"),
    Mutation("formulations/rotation_matrix/lyapunov.py", "moments turn directors", "(S[i][k] - S[k][i] - E[i] * G[i][k])", "(S[k][i] - S[i][k] - E[i] * G[i][k])", "tests/formulations/test_rotation_matrix_cases.py -k other_methods"),
    # drives
    Mutation(DRIVES, "outputs meet their signals at the end of a step", "targets[i * n + k] += miss[k]", "targets[i * n + k] += 0.0 * miss[k]", DRIVEN),
    Mutation("formulations/absolute/drives.py", "bias of an output", "gaps[k] += bias_of(", "gaps[k] -= bias_of(", DRIVEN + " -k coordinate_of_a_point"),
    Mutation("elements/serial.py", "turns that act at a distance", "cross(load3(out, TURNS + 3 * k), arm)", "ZERO", "tests/formulations/test_serial_joints.py"),
    Mutation("formulations/absolute/welded.py", "moment of a share", "add(sub(own, share), cross(arm, force))", "sub(own, share)", "tests/formulations/test_welds.py"),
    Mutation(DRIVES, "work of the efforts", "powers[i] += efforts", "powers[i] -= efforts", DRIVEN),
    Mutation("linear/dense.py", "exchanges before the substitution", "    for k in range(n):\n        for i in range(k + 1, n):\n            x[i] -=", "        for i in range(k + 1, n):\n            x[i] -=", "tests/formulations/test_dense.py"),
    Mutation("elements/signals.py", "acceleration of a polynomial", "bend = bend * x + 2.0 * rate", "bend = bend * x + rate", "tests/model/test_signals.py"),
    Mutation("analysis/following.py", "outputs start on their signals", "abs(have - want) > NEAR", "abs(have - want) > 1e9", "tests/test_drive_words.py"),
    Mutation("results/tally.py", "points that are pushed", "return not all(inner) or", "return", DRIVEN),
    # quaternions, runs
    Mutation("algebra/quaternions.py", "quaternion rate", "q[0] * x + q[2] * z - q[3] * y", "q[0] * x - q[2] * z + q[3] * y", "tests/test_references.py"),
    Mutation(IN_PLANE + "tables.py", "bodies whose inertia couples", "[:, 1] > ALIGNED)", "[:, 1] > 9.0)", OF_PLANE_STEPS + "stays_in_space"),
    Mutation(IN_PLANE + "tables.py", "heights of points", "+= height[table[side]]", "+= 0.0", OF_PLANE_STEPS + "distance"),
    Mutation(IN_PLANE + "matrix.py", "the ground stands still", "    store3(push, 0, ZERO)", "    store3(push, 0, load3(push, 0))", OF_PLANE_STEPS + "distance"),
    Mutation(IN_PLANE + "rows.py", "bias of points that coincide", "sub2(scale2(blocks[a + SPIN] *", "sub2(scale2(blocks[b + SPIN] *", OF_PLANE_RATES + "random"),
    Mutation(IN_PLANE + "rates.py", "loads in the plane", "m * y - forces[k + ground.second]", "m * y", OF_PLANE_RATES + "random"),
    Mutation(IN_PLANE + "bodies.py", "the second director follows", "across(layout.frames[b].plane.sense, turn)", "across(1.0, turn)", OF_PLANE_RATES + "random"),
    Mutation(IN_PLANE + "closing.py", "velocities put back", "frame.inertia * dot2(z, z) * room", "frame.inertia * room.masses[2 * b] * room", OF_PLANE_RATES + "random"),
    Mutation("formulations/rotation_matrix/plane_rates.py", "length of the turn", "across(squared * solution", "across(solution", OF_PLANE_RATES + "loads_and_rows"),
    Mutation("layout/plane_tables.py", "axes that are nearly parallel", "PARALLEL = 1e-14", "PARALLEL = 1e-8", OF_PLANE + "which"),
    Mutation("layout/plane_tables.py", "hinges that turn the other way", 'given["rot"] * np.sign(axes[:, 2, 2])', 'given["rot"]', OF_PLANE + "random_trees"),
    Mutation("layout/plane_tables.py", "bodies at joints that close loops", "seen[[joint[\"first\"], joint[\"second\"]]] = 1", "pass", OF_PLANE + "random_loops"),
    Mutation(PLANE + "motion.py", "Coriolis acceleration of a slide", "across(2.0 * w * rate, e)", "across(w * rate, e)", OF_PLANE + "random_trees"),
    Mutation(PLANE + "folding.py", "effort of a hinge on its parent", "tau + cross2(d, f), f, work)", "cross2(d, f), f, work)", OF_PLANE + "random_trees"),
    Mutation(PLANE + "folding.py", "inertia beyond a slide", "I, h, M = I - a * ga,", "I, h, M = I,", OF_PLANE + "random_trees"),
    Mutation(PLANE + "bodies.py", "arm of a wrench", "moment[2] + cross2(arm, force)", "moment[2]", OF_PLANE + "random_trees"),
    Mutation(PLANE + "bodies.py", "height of a body above the plane", "add2(place, arm), table.origin[2])", "add2(place, arm), 0.0)", OF_PLANE + "random_trees"),
    Mutation(PLANE + "loops/scalars.py", "second derivative of a slide", "2.0 * dot2(across(w, e), rate)", "dot2(across(w, e), rate)", OF_PLANE + "all_loads"),
    Mutation(PLANE + "loops/scalars.py", "heights in a distance", "dot2(d, d) + rise * rise - ", "dot2(d, d) - ", OF_PLANE + "projections"),
    Mutation(PLANE + "loops/rows.py", "moment that a slide passes on", "moment - u * work[base + GAIN]", "moment", OF_PLANE + "random_loops"),
    Mutation(PLANE + "loops/rates.py", "rates of joints that close loops", "= rate_of(layout.plane_scalars[n], layout, work)", "= 0.0", OF_PLANE + "all_loads"),
    Mutation(PLANE + "loops/projection.py", "velocities put back", "y[nq + k] += work[first + k]\n        move_links", "y[nq + k] -= work[first + k]\n        move_links", OF_PLANE + "projections"),
    Mutation(PLANE + "loops/projection.py", "rows that vanish on joint coordinates", "    raise_diagonal(layout, work)\n    work[at.pivot] = factor(", "    work[at.pivot] = factor(", f"{NEARBY} -k pivots"),
    Mutation(PLANE + "loops/openings.py", "rows left out are looked at", "layout.terms.shape[0] + layout.left_out.shape[0], work)", "layout.terms.shape[0], work)", OF_PLANE + "watched"),
    Mutation(LOOPS + "rows.py", "force that a joint passes on", "add_scaled(force, -u, load3(work, k + 6))", "add_scaled(force, u, load3(work, k + 6))", OF_LOOPS + "results"),
    Mutation(LOOPS + "rows.py", "arm to the parent's origin", "increase3(legs, 6 * above + 3, add(moment, cross(arm, force)))", "increase3(legs, 6 * above + 3, add(moment, cross(force, arm)))", OF_LOOPS + "results"),
    Mutation(LOOPS + "folds.py", "root of a ball's inverse inertia", "e = (S[2][1] - c * b) / d", "e = S[2][1] / d", OF_LOOPS + "skew"),
    Mutation(LOOPS + "dynamics.py", "gravity among the accelerations of rows", "at, gravity = layout.places[0], load3(layout.values, 0)", "at, gravity = layout.places[0], (0.0, 0.0, 0.0)", "tests/model/test_user_rows.py -k disc"),
    Mutation(LOOPS + "projection.py", "velocities put back", "y[nq + k] += work[first + k]\n        move_seen", "y[nq + k] -= work[first + k]\n        move_seen", OF_LOOPS + "results"),
    Mutation(LOOPS + "projection.py", "rows left out are looked at", "return OPENED if layout.left_out.shape[0] > 0 and came_apart(configuration, layout, work) else OK", "return OK", OF_LOOPS + "joints_open"),
    Mutation(LOOPS + "loads.py", "springs where loops close", "pull(instant.forces, -slope", "pull(instant.forces, slope", OF_LOOPS + "close_loops"),
    Mutation(LOOPS + "configuration.py", "turns of joints that close loops", "ydot[next_one] = pair_rate(", "ydot[next_one] = 0.0 * pair_rate(", OF_LOOPS + "turns"),
    Mutation(LOOPS + "reactions.py", "forces of the rows on the tree", "pull(taken, -term.factor", "pull(taken, term.factor", OF_LOOPS + "results"),
    Mutation(LOOPS + "drives.py", "efforts of drives", "gaps[c] = -gaps[c]", "gaps[c] = gaps[c]", OF_LOOPS + "drives"),
    Mutation(LOOPS + "driven.py", "multipliers under drives", "step[m] += gaps[k]", "step[m] -= gaps[k]", OF_LOOPS + "drives"),
    Mutation(LOOPS + "cost.py", "many loops in a row", "PAIRS = 50", "PAIRS = 5000", OF_LOOPS + "auto"),
    Mutation("formulations/tree/load_sums.py", "sign of the work", "total += power", "total -= power", SNIPPETS),
    Mutation("elements/laws.py", "power of a damper on a ball", "-c * dot(rate, rate)", "0.0 * dot(rate, rate)", WORK + " -k ball_damper"),
    Mutation("elements/wrenches.py", "power of a force", "return value, dot(value, velocity)", "return value, 0.0 * dot(value, velocity)", WORK + " -k OForce"),
    Mutation("results/efforts.py", "units of efforts", '"N" if sliding else "N m"', '"N m" if sliding else "N"', "tests/results/test_units.py -k damper"),
    Mutation("integrators/gauss_newton.py", "name of the stiff twin", "        plain,\n", '        plain,\n        name="newton",\n', "tests/integrators/test_registry.py -k twin"),
    Mutation("model/parameters.py", "whose signal is wrong", "fault if label in fault else", "fault if fault else", "tests/model/test_every_fault.py -k changes"),
    Mutation("layout/change.py", "masses changed between runs", "with_change(frozen.system, change)", "frozen.system", SIMULATE + " -k prepared_runs_take"),
    Mutation("model/change.py", "what is drawn on a changed body", "or (rebuilt and _drawn_on(element, rebuilt))", "", CHANGE + " -k written_with_it"),
    Mutation("model/parameters.py", "density of a shape beside its mass", "dict.fromkeys(SHAPED) | {name: value}", "{name: value}", CHANGE + " -k stands_in"),
    Mutation("layout/loads.py", "functions that changed", "or not same_function(known.function, function)", "", CHANGE + " -k soft"),
    Mutation("starts.py", "raw states in other frames", "return np.array_equal(coordinates, state.coordinates) and", "return True or", CHANGE + " -k meaning"),
    Mutation("model/snapshot.py", "arrays of the user", "fixed(value.copy())", "value", OWNED),
    Mutation("model/snapshot.py", "the system of a copied element", 'attributes["_system"] = self.new', "pass", OWNED),
    Mutation("results/trajectory.py", "results that cannot be written to", "view.flags.writeable = False", "pass", OWNED),
    Mutation("interrupts.py", "runs within runs", "run = run._outer  #", "run = None  #", INTERRUPTS + " -k within"),
]  # fmt: skip
