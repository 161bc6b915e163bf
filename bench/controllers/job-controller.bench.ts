import type { Job } from '../../src/api/job.ts';
import type { Pod } from '../../src/api/pod.ts';
import { StoreEventRecorder } from '../../src/client/events/store-event-recorder.ts';
import { Indexer } from '../../src/client/informer/indexer.ts';
import { Informers } from '../../src/client/informer/informers.ts';
import { objectKey } from '../../src/client/object-key.ts';
import { JobController, newJobController } from '../../src/controllers/job/job-controller.ts';
import { type JobApi, jobApi } from '../../src/controllers/job/job-writes.ts';
import { JOB_INDEXES, POD_INDEXES } from '../../src/controllers/job/pod-indexes.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';
import type { SuiteOptions } from '../kernels/kernel-suite.ts';
import { measureRates, type Rate, type RateCase } from '../rate-suite.ts';

type Mode = 'NonIndexed' | 'Indexed';

/**
 * Syncs of Jobs that lack nothing, and creations of pods: with an API that does nothing, on a store, and with all that
 * is around a controller (informers, queue, events).
 */
export function jobControllerSuite(options: SuiteOptions): Rate[] {
  const jobCount = options.tiny ? 2 : 40;
  const cases = {
    'sync with nothing to do, 2 pods': idleSyncs(jobCount * 50, 2),
    'sync with nothing to do, 200 pods': idleSyncs(jobCount, 200),
    'sync with nothing to do, 200 indexes': idleSyncs(jobCount, 200, 'Indexed'),
    'create pods, without a store': creations(jobCount, createInNothing),
    'create pods': creations(jobCount, createInStore),
    'create pods by index': creations(jobCount, createInStore, 'Indexed'),
    'create pods, informers and events': creations(jobCount, createWithEverything),
  };
  return measureRates('job controller', cases, options);
}

/** What is created in one sync at most. */
const PODS_PER_SYNC = 500;

/** Pods are running and ready, the status says so. */
function idleSyncs(jobCount: number, podsPerJob: number, mode: Mode = 'NonIndexed'): RateCase {
  const stage = new Stage(jobCount, podsPerJob, mode);
  stage.sync(jobApi(stage.store));
  for (const { metadata } of stage.pods.list()) {
    const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
    stage.store.patch('pods', 'default', metadata?.name ?? '', { type: 'strategic', body }, 'status');
  }
  stage.sync(jobApi(stage.store));
  const controller = stage.controller(NO_API);
  const keys = stage.jobs.list().map(objectKey);
  const run = (): number => {
    for (const key of keys) controller.syncJob(key);
    return keys.length;
  };
  return { operations: jobCount, run };
}

function creations(jobCount: number, create: (jobCount: number, mode: Mode) => number, mode: Mode = 'NonIndexed') {
  return { operations: jobCount * PODS_PER_SYNC, run: () => create(jobCount, mode) };
}

function createInNothing(jobCount: number, mode: Mode): number {
  const stage = new Stage(jobCount, PODS_PER_SYNC, mode);
  let created = 0;
  const createPod = (pod: Pod): Pod => {
    created++;
    return pod;
  };
  stage.sync({ ...NO_API, createPod, updateJobStatus: (job) => job });
  return created;
}

function createInStore(jobCount: number, mode: Mode): number {
  const stage = new Stage(jobCount, PODS_PER_SYNC, mode);
  stage.sync(jobApi(stage.store));
  return stage.pods.list().length;
}

function createWithEverything(jobCount: number, mode: Mode): number {
  const loop = new VirtualEventLoop();
  const prng = new Prng(1);
  const store = new Store({ clock: loop, names: new RandomNames(prng) });
  const modules = { client: store, loop, prng, reportError: fail };
  const informers = new Informers(store, modules);
  const recorder = new StoreEventRecorder('job-controller', modules);
  const controller = newJobController({ ...modules, informers, recorder });
  controller.start();
  informers.start();
  for (let i = 0; i < jobCount; i++) store.create('jobs', jobOf(i, PODS_PER_SYNC, mode));
  loop.runUntil(loop.nowMillis() + 100);
  return informers.of('pods').lister.list().length;
}

function fail(error: unknown): never {
  throw error;
}

const NO_API: JobApi = {
  getJob: () => fail(new Error('nothing is to be read')),
  createPod: () => fail(new Error('nothing is to be created')),
  deletePod: () => fail(new Error('nothing is to be deleted')),
  patchPod: () => fail(new Error('nothing is to be patched')),
  updateJobStatus: () => fail(new Error('no status is to be written')),
};

/** Jobs in a store, and caches that are as new as they are made. */
class Stage {
  readonly store: Store;
  readonly jobs = new Indexer<Job>();
  readonly pods = new Indexer<Pod>();
  readonly #loop = new VirtualEventLoop();

  constructor(jobCount: number, podsPerJob: number, mode: Mode) {
    this.store = new Store({ clock: this.#loop, names: new RandomNames(new Prng(1)) });
    for (const [name, valuesOf] of Object.entries(JOB_INDEXES)) this.jobs.addIndex(name, valuesOf);
    for (const [name, valuesOf] of Object.entries(POD_INDEXES)) this.pods.addIndex(name, valuesOf);
    for (let i = 0; i < jobCount; i++) this.store.create('jobs', jobOf(i, podsPerJob, mode));
    this.#refresh();
  }

  /** A controller that has just been started. */
  controller(api: JobApi): JobController {
    const { jobs, pods } = this;
    const recorder = { event: () => {} };
    const caches = { jobs, pods, cacheVersions: undefined, hasSynced: () => true };
    return new JobController({ api, ...caches, recorder, loop: this.#loop, reportError: fail });
  }

  /** Syncs each Job once; the caches show all that was written before, and then what that has changed. */
  sync(api: JobApi): void {
    this.#refresh();
    const controller = this.controller(api);
    for (const job of this.jobs.list()) controller.syncJob(objectKey(job));
    this.#refresh();
  }

  #refresh(): void {
    for (const job of this.store.list('jobs').items) this.jobs.set(job);
    for (const pod of this.store.list('pods').items) this.pods.set(pod);
  }
}

function jobOf(index: number, podCount: number, completionMode: Mode): Job {
  const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '100m', memory: '128Mi' } } }];
  const template = { metadata: { labels: { app: 'web' } }, spec: { restartPolicy: 'Never', containers } };
  const spec = { parallelism: podCount, completions: podCount, completionMode, template };
  return { metadata: { name: `job-${index}`, namespace: 'default' }, spec };
}
