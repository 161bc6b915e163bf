import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { Informers } from '../../client/informer/informers.ts';
import type { HandlerRegistration } from '../../client/informer/shared-informer.ts';
import type { ReportError } from '../../client/report-error.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { jobApi } from './job-api.ts';
import { JobController } from './job-controller.ts';
import { JOB_INDEXES, POD_INDEXES } from './pod-indexes.ts';

export interface JobControllerModules {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly recorder: EventRecorder;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  readonly workers?: number;
  /** How long a sync occupies its worker; absent: no time. */
  readonly busyMillis?: (() => number) | undefined;
}

/** A Job controller that uses the caches of these informers, and waits for them when it is started. */
export function newJobController({ client, informers, ...modules }: JobControllerModules): JobController {
  const jobs = informers.of('jobs');
  const pods = informers.of('pods');
  for (const [name, valuesOf] of Object.entries(JOB_INDEXES)) jobs.addIndex(name, valuesOf);
  for (const [name, valuesOf] of Object.entries(POD_INDEXES)) pods.addIndex(name, valuesOf);
  const registrations: HandlerRegistration[] = [];
  const controller = new JobController({
    ...modules,
    api: jobApi(client),
    jobs: jobs.lister,
    pods: pods.lister,
    hasSynced: () => registrations.every((registration) => registration.hasSynced()),
    cacheVersions: { jobs: () => jobs.lastSyncResourceVersion, pods: () => pods.lastSyncResourceVersion },
  });
  registrations.push(jobs.addHandler(controller.jobHandler, { name: 'job controller, jobs' }));
  registrations.push(pods.addHandler(controller.podHandler, { name: 'job controller, pods' }));
  return controller;
}
