/** Moves across lanes: two halves into one vector, one vector into a number. */

/** The even i32 lanes of both: 64-bit lane masks or mantissas of slots 0, 1 and 2, 3 become one i32x4. */
@inline
export function packEven(low: v128, high: v128): v128 {
  return i32x4.shuffle(low, high, 0, 2, 4, 6);
}

@inline
export function largestLane(lanes: v128): i32 {
  return max(
    max(i32x4.extract_lane(lanes, 0), i32x4.extract_lane(lanes, 1)),
    max(i32x4.extract_lane(lanes, 2), i32x4.extract_lane(lanes, 3)),
  );
}

@inline
export function smallestLane(lanes: v128): i32 {
  return min(
    min(i32x4.extract_lane(lanes, 0), i32x4.extract_lane(lanes, 1)),
    min(i32x4.extract_lane(lanes, 2), i32x4.extract_lane(lanes, 3)),
  );
}

@inline
export function sumLanes(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}
