import type { RootDatabase } from 'lmdb';
import type { KubernetesObject } from '../../api/meta.ts';
import { CodedError } from '../../lib/errors.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { fileErrorReason } from '../../lib/file-errors.ts';
import { latePackage, neededHostModule } from '../../lib/host-modules.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import type { ProcessTable } from '../../lib/process-table.ts';
import type { Journal, Ledger } from '../../store/ledger/ledger.ts';
import type { ObjectKey } from '../../store/ledger/object-key.ts';
import { restoredObject, type SavedLedger } from './saved-ledger.ts';

export interface DataDirectoryModules {
  /** The real time, by which writes are gathered. */
  readonly timers: EventLoop;
  /** One process at a time may use a directory. */
  readonly processes: ProcessTable;
}

const FORMAT = 'berth-data';
const FORMAT_VERSION = 1;
/** The key of the state; all others have a shelf, a namespace and a name. */
const STATE_KEY = ['state'];
const LOCK = 'berth.pid';

interface State {
  readonly format: string;
  readonly formatVersion: number;
  readonly ledgerVersion: number;
  readonly clockMillis: number;
}

interface Write {
  readonly key: readonly [shelf: string, namespace: string, name: string];
  /** Undefined: the object is removed. */
  readonly object: KubernetesObject | undefined;
}

/**
 * A directory in which every write to a ledger is kept: an LMDB environment. The writes since the last transaction go
 * into the next one, which is on the disk when it ends. Answers wait for it, so nobody learns of anything that a crash
 * could undo.
 *
 * ```
 *   ledger ──▶ waiting writes ──▶ transaction ──▶ disk
 *   answers ────── settled() ────────────────────▶ sent
 * ```
 */
export class DataDirectory implements Journal {
  readonly #database: RootDatabase<string>;
  readonly #timers: EventLoop;
  readonly #lockPath: string;
  #ledger: Ledger | undefined;
  #nowMillis: () => number = () => 0;
  /** The writes of the next transaction; a later write to an object stands for earlier ones. */
  #waiting = new Map<string, Write>();
  /** The transaction under way, and the one after it. */
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(database: RootDatabase<string>, timers: EventLoop, lockPath: string) {
    this.#database = database;
    this.#timers = timers;
    this.#lockPath = lockPath;
  }

  /** Opens the directory, which is made if it is not there. @throws CodedError */
  static open(path: string, { timers, processes }: DataDirectoryModules): DataDirectory {
    const { open } = latePackage('lmdb', import.meta.url);
    const lockPath = lock(path, processes);
    try {
      return new DataDirectory(open<string>({ path, encoding: 'string', noSubdir: false }), timers, lockPath);
    } catch (error) {
      neededHostModule('node:fs').rmSync(lockPath, { force: true });
      throw notUsable(path, error);
    }
  }

  /** What the directory holds; undefined if it is new. @throws CodedError */
  saved(): SavedLedger | undefined {
    const text = this.#database.get(STATE_KEY);
    if (text === undefined) return undefined;
    const state = JSON.parse(text) as State;
    if (state.format !== FORMAT || state.formatVersion !== FORMAT_VERSION) {
      throw new CodedError('UnknownFormat', `${this.#lockPath}: the data beside it are of another version of berth`);
    }
    return { objects: this.#objects(), version: state.ledgerVersion, clockMillis: state.clockMillis };
  }

  /** Keeps what the ledger holds, and every write to it from now on. `nowMillis`: the time of the cluster. */
  follow(ledger: Ledger, nowMillis: () => number): void {
    const isNew = this.#database.get(STATE_KEY) === undefined;
    this.#ledger = ledger;
    this.#nowMillis = nowMillis;
    ledger.journal = this;
    if (!isNew) return;
    for (const { shelf, object } of ledger.everything()) {
      const { namespace = '', name = '' } = object.metadata ?? {};
      this.wrote(shelf, { namespace, name }, object);
    }
  }

  wrote(shelf: string, { namespace, name }: ObjectKey, object: KubernetesObject | undefined): void {
    this.#waiting.set(`${shelf}/${namespace}/${name}`, { key: [shelf, namespace, name], object });
    this.#next ??= (this.#writing ?? new Promise<void>((begin) => this.#timers.soon(begin))).then(() => this.#write());
    // Whoever waits is told of an error; here nobody does.
    this.#next.catch(() => {});
  }

  /** Resolves when all writes so far are on the disk, undefined if they are. Rejects when they cannot be written. */
  settled(): Promise<void> | undefined {
    return this.#next ?? this.#writing;
  }

  /** Ends the last transaction, and lets others use the directory. */
  async close(): Promise<void> {
    if (this.#ledger !== undefined) this.#ledger.journal = undefined;
    await this.settled()?.catch(() => {});
    await this.#database.close();
    neededHostModule('node:fs').rmSync(this.#lockPath, { force: true });
  }

  *#objects(): SavedLedger['objects'] {
    for (const { key, value } of this.#database.getRange()) {
      const parts = key as unknown as readonly string[];
      if (parts.length === 3) yield { shelf: parts[0] as string, object: restoredObject(value) };
    }
  }

  /** Writes what waits. After a failure nothing is written any more, since a write may need one that is lost. */
  async #write(): Promise<void> {
    const writes = this.#waiting;
    this.#waiting = new Map();
    this.#writing = this.#next;
    this.#next = undefined;
    const state: State = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      ledgerVersion: this.#ledger?.version ?? 0,
      clockMillis: this.#nowMillis(),
    };
    await this.#database.transaction(() => {
      for (const { key, object } of writes.values()) {
        if (object === undefined) this.#database.removeSync([...key]);
        else this.#database.putSync([...key], JSON.stringify(object));
      }
      this.#database.putSync(STATE_KEY, JSON.stringify(state));
    });
    await this.#database.flushed;
    this.#writing = undefined;
  }
}

/** Takes the directory for this process. @throws CodedError DirectoryInUse */
function lock(path: string, { ownId, isRunning }: ProcessTable): string {
  const { readFileSync, writeFileSync } = neededHostModule('node:fs');
  const lockPath = neededHostModule('node:path').join(path, LOCK);
  try {
    makeFolders(path, 0o700);
    try {
      writeFileSync(lockPath, `${ownId}\n`, { flag: 'wx', mode: 0o600 });
      return lockPath;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(readFileSync(lockPath, 'utf8'));
    if (owner > 0 && owner !== ownId && isRunning(owner)) {
      const remedy = `if that is no server, remove ${lockPath}`;
      throw new CodedError('DirectoryInUse', `${path}: process ${owner} uses it; ${remedy}`);
    }
    // The owner was killed.
    writeFileSync(lockPath, `${ownId}\n`, { mode: 0o600 });
    return lockPath;
  } catch (error) {
    throw error instanceof CodedError ? error : notUsable(path, error);
  }
}

function notUsable(path: string, error: unknown): CodedError<'FileNotWritable'> {
  return new CodedError('FileNotWritable', `${path}: ${fileErrorReason(error, 'written')}`);
}
