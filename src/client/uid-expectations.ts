const NOTHING: ReadonlySet<string> = new Set();

/**
 * The uids of objects whose change a controller requested and has not observed yet, per key: the Job controller's
 * removals of finalizers. They need no expiry, because every later event of the object, even its deletion, counts as
 * observing the change.
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

  /** A copy of the uids that are still expected. */
  get(key: string): ReadonlySet<string> {
    const open = this.#byKey.get(key);
    return open === undefined || open.size === 0 ? NOTHING : new Set(open);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
