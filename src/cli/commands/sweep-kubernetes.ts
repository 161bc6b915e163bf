import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { stringify } from 'yaml';
import { CodedError } from '../../lib/errors.ts';
import { type EventLoop, RealEventLoop } from '../../lib/event-loop.ts';
import { followJob } from '../../sweep/kubernetes/follow-job.ts';
import type { JobApi } from '../../sweep/kubernetes/job-api.ts';
import {
  mergeJobObject,
  RESULTS_FOLDER,
  SHARDS_ANNOTATION,
  type SweepJobOptions,
  sweepJobObjects,
} from '../../sweep/kubernetes/sweep-job.ts';
import { type CarriedPlan, writePlan } from '../../sweep/plan-file.ts';
import { SeedList } from '../../sweep/seed-list.ts';
import { headerOf, type SweepHeader } from '../../sweep/sweep-header.ts';
import type { KubernetesFlags } from '../flags/kubernetes-flags.ts';
import { type JobCluster, jobCluster } from '../terminal/kubernetes-jobs.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { objectUrl } from '../terminal/url-objects.ts';
import { ClaimedShards, type CollectedShards, LocalShards, numbersTo } from './collected-shards.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';
import { checkSweepRights } from './sweep-rights.ts';

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
  const cluster = isManifest ? undefined : await reachedCluster(flags);
  const options = {
    ...jobFlags(flags),
    ...resultsOf(flags, name),
    name,
    shards,
    image,
    namespace: cluster?.namespace ?? flags.namespace ?? 'default',
  };
  const plan = writePlan(carried);
  if (cluster === undefined) {
    const all = { ...options, wanted: listOf(numbersTo(shards)), wantedCount: shards };
    await terminal.print(
      sweepJobObjects({ ...all, ...parallelism(flags, shards) }, plan)
        .map(toYaml)
        .join('---\n'),
    );
    return 0;
  }
  if (flags.results?.kind !== 'claim' && existsSync(output) && resume === undefined) {
    throw new CodedError('FileExists', `${output}: exists already`);
  }
  const sweep = new KubernetesSweep({ header, options, plan, cluster, flags, terminal });
  return sweep.run();
}

/** @throws CodedError */
async function reachedCluster(flags: KubernetesSweepFlags): Promise<JobCluster> {
  const cluster = await jobCluster(clusterFlags(flags));
  await checkSweepRights(flags, cluster.namespace);
  return cluster;
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
  readonly #loop: EventLoop;
  readonly #interruption = new AbortController();

  constructor(parts: SweepParts) {
    this.#parts = parts;
    this.#loop = new RealEventLoop((error) => parts.terminal.log(`error: ${error}`));
  }

  async run(): Promise<number> {
    const { terminal, flags } = this.#parts;
    const release = terminal.onInterrupt(() => this.#interruption.abort());
    try {
      return flags.results?.kind === 'claim' ? await this.#runOnVolume(flags.results) : await this.#runToFile();
    } finally {
      release();
    }
  }

  async #runToFile(): Promise<number> {
    const { terminal, options, flags, header } = this.#parts;
    const { shards, results } = options;
    const urls = flags.results === undefined ? undefined : results;
    const collected = new LocalShards({ ...{ output: flags.output, header, shards, urls, terminal } });
    if (flags.resume !== undefined) await collected.fetch();
    if (!(await this.#runRounds(collected))) return EXIT_INTERRUPTED;
    await collected.merge();
    return 0;
  }

  /** The shards stay on the volume, where another Job merges them. */
  async #runOnVolume({ claim, folder }: { readonly claim: string; readonly folder: string }): Promise<number> {
    const { terminal, cluster, options, flags } = this.#parts;
    if (!(await this.#runRounds(new ClaimedShards(options.shards)))) return EXIT_INTERRUPTED;
    const file = `${folder}/${basename(flags.output)}`;
    const shards = options.results.replace('{shard}', '*');
    const all = { ...options, wanted: '1', wantedCount: 1, parallelism: 1 };
    const merge = mergeJobObject(all, shards, `${RESULTS_FOLDER}${file}`);
    const api = cluster.apiOf(merge.metadata?.name ?? '', this.#loop);
    await api.create([merge]);
    terminal.log(`Job ${options.namespace}/${merge.metadata?.name} merges ${options.shards} shards`);
    let said = '';
    const end = await this.#follow(api, [1], {
      missing: async () => [],
      read: (of, podName) => of.log(podName),
      keep: (_, text) => {
        said = text.trimEnd().split('\n').at(-1) ?? '';
      },
    });
    if (end === 'interrupted') return EXIT_INTERRUPTED;
    await api.remove();
    terminal.log(`${said}: ${file.slice(1)} of volume claim ${options.namespace}/${claim}`);
    return 0;
  }

  /** Makes Jobs until all shards are there. Returns false when it was interrupted. */
  async #runRounds(collected: CollectedShards): Promise<boolean> {
    for (let round = 1; ; round++) {
      const missing = await collected.missing();
      if (missing.length === 0) return true;
      if (round > ROUNDS_MAX) throw new CodedError('JobFailed', `shards ${listOf(missing)} were lost each time`);
      if ((await this.#runJob(missing, collected)) === 'interrupted') return false;
    }
  }

  /** Makes a Job for what is missing, or takes the one that is there, and follows it to its end. */
  async #runJob(missing: readonly number[], collected: CollectedShards) {
    const { terminal, cluster, options, plan, flags } = this.#parts;
    const api = cluster.apiOf(options.name, this.#loop);
    const present = await api.find();
    let shards = missing;
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
    const end = await this.#follow(api, shards, collected);
    if (end !== 'interrupted') await api.remove();
    else await this.#askToRemove(api);
    // Names are free again only when the API has removed the old objects.
    while (end === 'lost' && (await api.find()) !== undefined) await this.#sleep(TURN_MILLIS);
    return end;
  }

  #follow(api: JobApi, shards: readonly number[], collected: CollectedShards) {
    const { terminal } = this.#parts;
    return withProgress(terminal, shards.length, 'shards', (show) =>
      followJob({
        ...{ api, shards, clock: this.#loop, log: terminal.log, signal: this.#interruption.signal },
        sleep: (millis) => this.#sleep(millis),
        read: (podName, shard) => collected.read(api, podName, shard),
        keep: (shard, text) => collected.keep(shard, text),
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
}

const TURN_MILLIS = 500;

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

/** The shards of different sweeps, and of different numbers of shards, have folders of their own. */
function resultsOf({ results, resultsSecret: secret }: KubernetesFlags, name: string) {
  if (results === undefined) return { results: '-', secret };
  const file = `${name}/part-{shard}.ndjson`;
  if (results.kind === 'url') return { results: objectUrl(results.url, file), secret };
  const { claim, folder } = results;
  return { results: `${RESULTS_FOLDER}${folder}/${file}`, claim, secret };
}

function parallelism(flags: KubernetesFlags, shards: number) {
  return { parallelism: flags.parallelism ?? shards };
}

function toYaml(object: object): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });
}
