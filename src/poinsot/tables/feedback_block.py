"""Feedbacks in the tables: kinds of what laws see, and positions in the block of numbers that their kernel works on.

`model/readings.py` names what laws see, `layout/feedback.py` fills the blocks, `elements/feedback_kernel.py` evaluates them.
"""

SEE_COORDINATE, SEE_COORDINATE_RATE = 0, 1  # of one motion of a joint
SEE_PLACE, SEE_PLACE_RATE, SEE_SPIN, SEE_BODY_SPIN, SEE_ROTATION, SEE_QUATERNION = 2, 3, 4, 5, 6, 7  # of a body, or a point of it
SEE_TURN, SEE_TURN_QUATERNION, SEE_TURN_RATE, SEE_SHIFT, SEE_SHIFT_RATE = 8, 9, 10, 11, 12  # between the two frames of a joint

# numbers at the head of a block
H_PARAMS, H_READS, H_SEEN, H_EFFORTS, H_STATES, H_PERIOD, H_SAMPLING, H_READINGS, H_LIMITS, H_CONTROL, H_CONTROLS, H_ROOM = range(12)
H_TARGET, H_SIZE, H_PIECES, H_DEGREE = range(12, 16)  # of the target: position of its polynomials relative to the block, numbers, pieces, degree
BLOCK_HEAD = 16
READ, BOUND, FRAMES, STAGE_ROOM = 8, 3, 24, 3
R_KIND, R_FIRST, R_SECOND, R_PICK, R_SIGN, R_POINT = 0, 1, 2, 3, 4, 5  # of a reading; R_POINT is the position of the frames of a joint
SECOND_FRAME = 12
