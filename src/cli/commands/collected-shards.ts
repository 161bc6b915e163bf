import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../../lib/errors.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import type { JobApi } from '../../sweep/kubernetes/job-api.ts';
import { shardFileOf } from '../../sweep/kubernetes/shard-log.ts';
import { type SweepHeader, shardHeader } from '../../sweep/sweep-header.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { mergeFiles } from './merge-files.ts';
import { outputName } from './sweep-output.ts';

/** The shards of a sweep that runs on a cluster, as far as they are there. */
export interface CollectedShards {
  /** The shards that are not there, or are there of another sweep. */
  missing(): Promise<number[]>;
  /** Reads what the pod of a shard has written. */
  read(api: JobApi, podName: string, shard: number): Promise<string>;
  /** @throws CodedError `ShardTruncated` */
  keep(shard: number, text: string): void;
}

export interface LocalShardsOptions {
  readonly output: string;
  readonly header: SweepHeader;
  readonly shards: number;
  /** The URLs under which pods leave their shards, with `{shard}`; absent: they are in their logs. */
  readonly urls?: string | undefined;
  readonly terminal: Terminal;
}

/** How many objects are asked for at a time. */
const READERS = 8;

/** Shards in a folder beside the output, in which they are kept until all are there. */
export class LocalShards implements CollectedShards {
  readonly #options: LocalShardsOptions;
  readonly #folder: string;

  /** @throws CodedError `FileNotWritable` */
  constructor(options: LocalShardsOptions) {
    this.#options = options;
    this.#folder = `${options.output}.shards`;
    try {
      makeFolders(this.#folder);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CodedError('FileNotWritable', `${this.#folder}: ${reason}`);
    }
  }

  async missing(): Promise<number[]> {
    const { header, shards } = this.#options;
    return numbersTo(shards).filter((shard) => {
      const file = this.#fileOf(shard);
      if (!existsSync(file)) return true;
      const first = JSON.stringify(shardHeader(header, { shard, of: shards }));
      return !readFileSync(file, 'utf8').startsWith(`${first}\n`);
    });
  }

  async read(api: JobApi, podName: string, shard: number): Promise<string> {
    return this.#options.urls === undefined ? api.log(podName) : ((await this.#object(shard)) ?? NO_OBJECT);
  }

  /** Keeps the shards that earlier pods have left under the URLs; those that are not complete are run again. */
  async fetch(): Promise<void> {
    if (this.#options.urls === undefined) return;
    const waiting = await this.missing();
    const fetchAll = async (): Promise<void> => {
      for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
        const text = await this.#object(shard);
        if (text === undefined) continue;
        try {
          this.keep(shard, text);
        } catch (error) {
          if (!(error instanceof CodedError) || error.code !== 'ShardTruncated') throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: READERS }, fetchAll));
  }

  keep(shard: number, text: string): void {
    const { header, shards, urls } = this.#options;
    const wanted = shardHeader(header, { shard, of: shards });
    const content = shardFileOf(text, wanted, `shard ${shard}: ${urls === undefined ? LOG : 'its object'}`);
    const file = this.#fileOf(shard);
    // The name appears with the whole file, so that what is there is complete.
    writeFileSync(`${file}.unfinished`, content);
    renameSync(`${file}.unfinished`, file);
  }

  /** Merges all shards into the output, and removes them. @throws CodedError */
  async merge(): Promise<void> {
    const { output, shards, terminal } = this.#options;
    const files = numbersTo(shards).map((shard) => this.#fileOf(shard));
    await mergeFiles(files, output, terminal);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #object(shard: number): Promise<string | undefined> {
    const { urls = '', shards, terminal } = this.#options;
    const content = await terminal.objects.get(outputName(urls, { shard, of: shards }));
    return content === undefined ? undefined : Buffer.from(content).toString();
  }

  #fileOf(shard: number): string {
    return join(this.#folder, outputName('part-{shard}.ndjson', { shard, of: this.#options.shards }));
  }
}

const LOG = 'the log (a node keeps 10 MiB of one: take more shards, or --results)';
/** A pod that has succeeded has written its object, so this text is refused as a shard. */
const NO_OBJECT = '';

/** Shards that stay on a volume of the cluster, where they are known by the success of their pods. */
export class ClaimedShards implements CollectedShards {
  readonly #missing: Set<number>;

  constructor(shards: number) {
    this.#missing = new Set(numbersTo(shards));
  }

  async missing(): Promise<number[]> {
    return [...this.#missing];
  }

  async read(): Promise<string> {
    return '';
  }

  keep(shard: number): void {
    this.#missing.delete(shard);
  }
}

/** The numbers from 1. */
export function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}
