import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CodedError } from '../../lib/errors.ts';
import { type EventLoop, RealEventLoop } from '../../lib/event-loop.ts';
import { followJob } from '../../sweep/kubernetes/follow-job.ts';
import type { JobApi } from '../../sweep/kubernetes/job-api.ts';
import { shardFileOf } from '../../sweep/kubernetes/shard-log.ts';
import { SHARDS_ANNOTATION, type SweepJobOptions, sweepJobObjects } from '../../sweep/kubernetes/sweep-job.ts';
import { type CarriedPlan, writePlan } from '../../sweep/plan-file.ts';
import { SeedList } from '../../sweep/seed-list.ts';
import { headerOf, type SweepHeader, shardHeader } from '../../sweep/sweep-header.ts';
import type { KubernetesFlags } from '../flags/kubernetes-flags.ts';
import { type JobCluster, jobCluster } from '../terminal/kubernetes-jobs.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';
import { mergeFiles } from './sweep-merge.ts';
import { outputName } from './sweep-output.ts';

interface KubernetesSweepFlags extends KubernetesFlags {
  readonly shards?: number;
  readonly output: string;
  readonly resume?: true;
  readonly workers: number | 'auto';
}

/** Pods may be lost with their logs; then their shards are run again, by another Job. */
const ROUNDS_MAX = 5;

/** Runs a sweep as Indexed Jobs, and merges what their pods have written. Returns the exit code. */
export async function sweepOnKubernetes(
  carried: CarriedPlan,
  flags: KubernetesSweepFlags,
  terminal: Terminal,
): Promise<number> {
  const { shards, image, output, resume } = flags;
  if (shards === undefined) throw new CodedError('Usage', '--on kubernetes needs --shards, which says how many pods');
  if (image === undefined) throw new CodedError('Usage', '--on kubernetes needs --image');
  const header = headerOf(carried.plan, carried.contents, carried.berth);
  if (shards > header.runs) throw new CodedError('Usage', `--shards ${shards}: there are ${header.runs} runs`);
  const name = `berth-sweep-${header.planHash.slice(0, 6)}${header.inputHash.slice(0, 6)}-${shards}`;
  const isManifest = output === 'yaml';
  const cluster = isManifest ? undefined : await jobCluster({ ...clusterFlags(flags) });
  const options = {
    ...jobFlags(flags),
    name,
    shards,
    image,
    namespace: cluster?.namespace ?? flags.namespace ?? 'default',
  };
  const plan = writePlan(carried);
  if (cluster === undefined) {
    const all = { ...options, wanted: listOf(range(shards)), wantedCount: shards };
    await terminal.print(
      sweepJobObjects({ ...all, ...parallelism(flags, shards) }, plan)
        .map(toYaml)
        .join('---\n'),
    );
    return 0;
  }
  if (existsSync(output) && resume === undefined) {
    throw new CodedError('FileExists', `${output}: exists already`);
  }
  const sweep = new KubernetesSweep({ header, options, plan, cluster, flags, terminal });
  return sweep.run();
}

interface SweepParts {
  readonly header: SweepHeader;
  readonly options: Omit<SweepJobOptions, 'wanted' | 'wantedCount' | 'parallelism'>;
  readonly plan: Uint8Array;
  readonly cluster: JobCluster;
  readonly flags: KubernetesSweepFlags;
  readonly terminal: Terminal;
}

class KubernetesSweep {
  readonly #parts: SweepParts;
  readonly #folder: string;
  readonly #loop: EventLoop;
  readonly #interruption = new AbortController();

  constructor(parts: SweepParts) {
    this.#parts = parts;
    this.#folder = `${parts.flags.output}.shards`;
    this.#loop = new RealEventLoop((error) => parts.terminal.log(`error: ${error}`));
  }

  async run(): Promise<number> {
    const { terminal, options, flags } = this.#parts;
    const { shards } = options;
    this.#makeFolder();
    const release = terminal.onInterrupt(() => this.#interruption.abort());
    try {
      for (let round = 1; this.#missing().length > 0; round++) {
        if (round > ROUNDS_MAX)
          throw new CodedError('JobFailed', `shards ${listOf(this.#missing())} were lost each time`);
        const end = await this.#runJob();
        if (end === 'interrupted') return EXIT_INTERRUPTED;
      }
    } finally {
      release();
    }
    await mergeFiles(
      range(shards).map((shard) => this.#fileOf(shard)),
      flags.output,
      terminal,
    );
    rmSync(this.#folder, { recursive: true, force: true });
    return 0;
  }

  /** Makes a Job for what is missing, or takes the one that is there, and follows it to its end. */
  async #runJob() {
    const { terminal, cluster, options, plan, flags } = this.#parts;
    const api = cluster.apiOf(options.name, this.#loop);
    const present = await api.find();
    let shards = this.#missing();
    if (present !== undefined && flags.resume === undefined) {
      const title = `Job ${options.namespace}/${options.name}`;
      throw new CodedError(
        'JobExists',
        `${title}: exists already; --resume goes on with it, kubectl delete removes it`,
      );
    }
    if (present === undefined) {
      const wanted = { wanted: listOf(shards), wantedCount: shards.length, ...parallelism(flags, shards.length) };
      await api.create(sweepJobObjects({ ...options, ...wanted }, plan));
      terminal.log(`Job ${options.namespace}/${options.name} runs ${shards.length} shards`);
    } else {
      const seeds = SeedList.parse(present.metadata?.annotations?.[SHARDS_ANNOTATION] ?? '');
      shards = Array.from({ length: seeds.count }, (_, i) => seeds.at(i));
      terminal.log(`Job ${options.namespace}/${options.name} is there already: ${shards.length} shards`);
    }
    const end = await this.#follow(api, shards);
    if (end !== 'interrupted') await api.remove();
    else await this.#askToRemove(api);
    // Names are free again only when the API has removed the old objects.
    while (end === 'lost' && (await api.find()) !== undefined) await this.#sleep(TURN_MILLIS);
    return end;
  }

  #follow(api: JobApi, shards: readonly number[]) {
    const { terminal } = this.#parts;
    return withProgress(terminal, shards.length, 'shards', (show) =>
      followJob({
        ...{ api, shards, clock: this.#loop, log: terminal.log, signal: this.#interruption.signal },
        sleep: (millis) => this.#sleep(millis),
        keep: (shard, text) => this.#keep(shard, text),
        onProgress: (kept, running) => show(kept, `${kept} of ${shards.length} shards, ${running} pods run`),
      }),
    );
  }

  async #askToRemove(api: JobApi): Promise<void> {
    const { terminal, options, flags } = this.#parts;
    const question = `remove Job ${options.namespace}/${options.name} and its pods? [y/N] `;
    const answer = (await terminal.ask?.(question)) ?? '';
    if (/^y(?:es)?$/i.test(answer.trim())) await api.remove();
    else terminal.log(`interrupted: the Job goes on; --resume collects it into ${flags.output}`);
  }

  #sleep(millis: number): Promise<void> {
    return new Promise((resolve) => {
      this.#loop.after(millis, resolve);
    });
  }

  #keep(shard: number, text: string): void {
    const { header, options } = this.#parts;
    const wanted = shardHeader(header, { shard, of: options.shards });
    const file = this.#fileOf(shard);
    // The name appears with the whole file, so that what is there is complete.
    writeFileSync(`${file}.unfinished`, shardFileOf(text, wanted, `shard ${shard}`));
    renameSync(`${file}.unfinished`, file);
  }

  /** The shards that are not in the folder, or are there of another sweep. */
  #missing(): number[] {
    const { header, options } = this.#parts;
    return range(options.shards).filter((shard) => {
      const file = this.#fileOf(shard);
      if (!existsSync(file)) return true;
      const first = JSON.stringify(shardHeader(header, { shard, of: options.shards }));
      return !readFileSync(file, 'utf8').startsWith(`${first}\n`);
    });
  }

  #makeFolder(): void {
    try {
      mkdirSync(this.#folder, { recursive: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CodedError('FileNotWritable', `${this.#folder}: ${reason}`);
    }
  }

  #fileOf(shard: number): string {
    return join(this.#folder, outputName('part-{shard}.ndjson', { shard, of: this.#parts.options.shards }));
  }
}

const TURN_MILLIS = 500;

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

/** Ascending numbers as `1..8,11`. */
function listOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}..${last}`)).join(',');
}

function clusterFlags({ kubeconfig, context, namespace }: KubernetesFlags) {
  return { kubeconfig, context, namespace };
}

function jobFlags({ requests = { cpu: '1', memory: '1Gi' }, nodeSelector = {}, ...flags }: KubernetesSweepFlags) {
  const { backoffLimitPerIndex = 3, workers } = flags;
  return { requests, nodeSelector, backoffLimitPerIndex, workers: workers === 'auto' ? 1 : workers };
}

function parallelism(flags: KubernetesFlags, shards: number) {
  return { parallelism: flags.parallelism ?? shards };
}

function toYaml(object: object): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });
}
