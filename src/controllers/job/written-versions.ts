import { CodedError } from '../../lib/errors.ts';

/** The version of each cache: that of the last event that it received. */
export interface CacheVersions {
  pods(): string;
  jobs(): string;
}

type Resource = keyof CacheVersions;

/** A cache does not show this controller's own last write yet. */
class StaleCacheError extends CodedError<'StaleCache'> {
  constructor(resource: string, readVersion: string, writtenVersion: string) {
    const read = readVersion === '' ? 'read version is not synced' : `read version: ${readVersion}`;
    const written =
      readVersion === ''
        ? `(written version: ${writtenVersion})`
        : `is not as new as written version: ${writtenVersion}`;
    super('StaleCache', `${read} ${written} for group resource ${resource}`);
  }
}

interface Record {
  readonly uid: string;
  pods: string;
  jobs: string;
}

const RESOURCE_TEXTS: { readonly [R in Resource]: string } = { pods: 'pods', jobs: 'jobs.batch' };

/**
 * Prevents acting on a cache that is older than the last write for the Job, which would repeat that write.
 *
 * Upstream: pkg/controller/util/consistency.
 */
export class WrittenVersions {
  readonly #caches: CacheVersions;
  readonly #records = new Map<string, Record>();

  constructor(caches: CacheVersions) {
    this.#caches = caches;
  }

  /** `uid`: the Job's uid; earlier writes for another Job of the same name are dropped. */
  wrote(jobKey: string, uid: string, resource: Resource, version: string | undefined): void {
    if (version === undefined) return;
    let record = this.#records.get(jobKey);
    if (record?.uid !== uid) {
      record = { uid, pods: '', jobs: '' };
      this.#records.set(jobKey, record);
    }
    if (isNewer(version, record[resource])) record[resource] = version;
  }

  /** @throws StaleCacheError */
  checkSeen(jobKey: string): void {
    const record = this.#records.get(jobKey);
    if (record === undefined) return;
    this.#check('pods', record.pods);
    this.#check('jobs', record.jobs);
    this.#records.delete(jobKey);
  }

  forget(jobKey: string): void {
    this.#records.delete(jobKey);
  }

  #check(resource: Resource, written: string): void {
    // A text that is no version cannot be compared, so it never blocks a sync.
    if (!/^[1-9]\d*$/.test(written)) return;
    const read = this.#caches[resource]();
    if (isNewer(written, read)) throw new StaleCacheError(RESOURCE_TEXTS[resource], read, written);
  }
}

/** Compares versions, which are decimal numbers of any length without leading zeros. */
function isNewer(version: string, other: string): boolean {
  return version.length === other.length ? version > other : version.length > other.length;
}
