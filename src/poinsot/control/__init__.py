"""Control laws: each adds its inputs and a `po.Feedback` to the system, and returns the feedback, with its Lyapunov function where it has one."""

from poinsot.control.attitude import attitude, euler_attitude
from poinsot.control.joints import computed_torque, pd, pid
from poinsot.control.lqr import linearise, lqr
from poinsot.control.swing_up import swing_up

__all__ = ["attitude", "computed_torque", "euler_attitude", "linearise", "lqr", "pd", "pid", "swing_up"]
