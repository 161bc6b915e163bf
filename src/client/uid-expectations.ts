const NOTHING: ReadonlySet<string> = new Set();

/**
 * Changes to single objects that a controller asked for and has not seen yet, by uid: the Job controller's removals of
 * finalizers. Per key; without expiry, because an object that is seen again, changed or gone, settles its uid.
 *
 * Upstream: uidTrackingExpectations in pkg/controller/job/tracking_utils.go.
 */
export class UidExpectations {
  readonly #byKey = new Map<string, Set<string>>();

  expect(key: string, uids: Iterable<string>): void {
    let open = this.#byKey.get(key);
    if (open === undefined) {
      open = new Set();
      this.#byKey.set(key, open);
    }
    for (const uid of uids) open.add(uid);
  }

  observed(key: string, uid: string): void {
    this.#byKey.get(key)?.delete(uid);
  }

  /** The uids that were not seen yet, as of now: later changes do not show. */
  get(key: string): ReadonlySet<string> {
    const open = this.#byKey.get(key);
    return open === undefined || open.size === 0 ? NOTHING : new Set(open);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
