import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { CodedError } from '../../lib/errors.ts';
import { errorCode, fileErrorReason } from '../../lib/file-errors.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import type { OutputFile } from './terminal.ts';

/**
 * The files that a command writes. Each is written beside its target and takes the target's place when it is complete,
 * so that nothing half-written is ever found there. A file that is also an input is refused.
 */
export class NodeOutputs {
  /** The names by which inputs and outputs were opened, by what they are on the disk. */
  readonly #inputs = new Map<string, string>();
  readonly #outputs = new Map<string, string>();
  /** The paths of outputs, also of those that are not there yet. */
  readonly #paths = new Set<string>();
  /** Files that are written and not complete yet. */
  readonly #unfinished = new Set<string>();

  /** Notes that a file is read. Throws when it is an output. */
  noteInput(name: string, stats: Stats): void {
    if (!stats.isFile()) return;
    const identity = identityOf(stats);
    refuseBoth(this.#outputs.get(identity), name);
    this.#inputs.set(identity, name);
  }

  /** Notes that a file is written. Throws when it is an input, or is written already. */
  noteOutput(name: string): void {
    const stats = writing(name, () => statSync(name, { throwIfNoEntry: false }));
    if (stats !== undefined && !stats.isFile()) return;
    const path = stats === undefined ? resolve(name) : realpathSync(name);
    if (this.#paths.has(path)) throw new CodedError('OutputTwice', `${name}: is the name of two outputs`);
    this.#paths.add(path);
    if (stats === undefined) return;
    const identity = identityOf(stats);
    refuseBoth(this.#inputs.get(identity), name);
    this.#outputs.set(identity, name);
  }

  /** Creates a file. Throws `FileNotWritable`. */
  create(name: string): OutputFile {
    const { file, finish } = writing(name, () => this.#open(name));
    return {
      // The whole text is written, however many system calls that takes.
      write: (content) => writing(name, () => writeFileSync(file, content)),
      close: () => writing(name, finish),
    };
  }

  /** Creates a folder unless it is there. Throws `FileNotWritable`. */
  createFolder(name: string): void {
    writing(name, () => makeFolders(name));
  }

  /** Removes what was not completed. */
  discardUnfinished(): void {
    for (const path of this.#unfinished) rmSync(path, { force: true });
    this.#unfinished.clear();
  }

  #open(name: string): { readonly file: number; readonly finish: () => void } {
    if (name === '') throw new CodedError('FileNotWritable', EMPTY_NAME);
    const stats = statSync(name, { throwIfNoEntry: false });
    this.noteOutput(name);
    // Pipes and devices cannot be replaced, and folders are refused by the system.
    if (stats !== undefined && !stats.isFile()) return written(openSync(name, 'w'));
    if (stats === undefined && lstatSync(name, { throwIfNoEntry: false }) !== undefined) {
      throw new CodedError('FileNotWritable', `${name}: is a link to a file that does not exist`);
    }
    const target = stats === undefined ? name : realpathSync(name);
    if (stats !== undefined) accessSync(target, constants.W_OK);
    const beside = `${target}.unfinished-${process.pid}`;
    const file = openBeside(beside);
    // Where no file can be made, an existing one can still be written.
    if (file === null) return written(openSync(target, 'w'));
    if (stats !== undefined) fchmodSync(file, stats.mode);
    this.#unfinished.add(beside);
    const finish = () => {
      closeSync(file);
      renameSync(beside, target);
      this.#unfinished.delete(beside);
    };
    return { file, finish };
  }
}

/** Does a part of writing. @throws CodedError `FileNotWritable` */
function writing<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError('FileNotWritable', `${name}: ${fileErrorReason(error, 'written')}`);
  }
}

const EMPTY_NAME = 'the name of an output is empty';

function written(file: number) {
  return { file, finish: () => closeSync(file) };
}

function openBeside(path: string): number | null {
  try {
    return openSync(path, 'w');
  } catch (error) {
    if (errorCode(error) === 'EACCES' || errorCode(error) === 'EROFS') return null;
    throw error;
  }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function refuseBoth(other: string | undefined, name: string): void {
  if (other === undefined) return;
  const also = other === name ? '' : ` (as ${other})`;
  throw new CodedError('OutputIsInput', `${name}: is an input and an output${also}`);
}
