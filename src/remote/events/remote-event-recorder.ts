import { schedulerNameOf } from '../../api/defaults.ts';
import type { Pod } from '../../api/pod.ts';
import type { ReportError } from '../../client/report-error.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { Prng } from '../../lib/prng.ts';
import { ApiError, hasCause } from '../../store/objects/api-error.ts';
import type { KubeConnection } from '../connection/kube-connection.ts';
import { type EventBody, EventSeriesCache, microTime, type ObjectReference, type SeriesBody } from './event-series.ts';

/** The parts that write events. */
export interface RemoteEventRecorderModules {
  readonly connection: KubeConnection;
  readonly loop: EventLoop;
  /** Draws the ends of names. */
  readonly prng: Prng;
  readonly reportError: ReportError;
  /** The name of this process, such as its host. */
  readonly instance: string;
}

/** More events than these are not kept while their writes have not been answered. Upstream: maxQueuedEvents. */
const PENDING_MAX = 1000;
/** Upstream: maxTriesPerEvent and defaultSleepDuration of client-go/tools/events. */
const TRIES_MAX = 12;
const RETRY_MILLIS = 10_000;
const EVENTS_PATH = '/apis/events.k8s.io/v1/namespaces';

/** Writes the events of a scheduler to an API server, as events.k8s.io. It never fails; events may be dropped. */
export class RemoteEventRecorder {
  readonly #modules: RemoteEventRecorderModules;
  readonly #series: EventSeriesCache;
  #pending = 0;

  constructor(modules: RemoteEventRecorderModules) {
    this.#modules = modules;
    this.#series = new EventSeriesCache(modules.loop, (event, series) => void this.#write(event, series));
  }

  event(
    regarding: Pod,
    related: Pod | null,
    type: 'Normal' | 'Warning',
    reason: string,
    action: string,
    note: string,
  ): void {
    const { loop, instance } = this.#modules;
    const nowMillis = loop.nowMillis();
    const controller = schedulerNameOf(regarding);
    this.#series.occurred({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: this.#nameOf(regarding, nowMillis), namespace: regarding.metadata?.namespace || 'default' },
      eventTime: microTime(nowMillis),
      ...{ type, reason, action, note },
      reportingController: controller,
      reportingInstance: `${controller}-${instance}`,
      regarding: referenceTo(regarding),
      ...(related !== null && { related: referenceTo(related) }),
    });
  }

  /** The subject's name and the time in nanoseconds, of which the clock knows only the milliseconds. */
  #nameOf({ metadata }: Pod, nowMillis: number): string {
    const nanos = BigInt(Math.floor(nowMillis)) * 1_000_000n + BigInt(this.#modules.prng.below(1_000_000));
    return `${metadata?.name ?? ''}.${nanos.toString(16)}`;
  }

  async #write(event: EventBody, series: SeriesBody | null): Promise<void> {
    if (this.#pending >= PENDING_MAX) return;
    this.#pending++;
    try {
      await this.#writeRetrying(event, series);
    } catch (error) {
      // Events of a namespace that is being deleted are always refused, so that is not worth a report.
      if (!hasCause(error, 'NamespaceTerminating')) this.#modules.reportError(error, `record ${event.reason} event`);
    }
    this.#pending--;
  }

  async #writeRetrying(event: EventBody, series: SeriesBody | null): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#writeOnce(event, series);
        return;
      } catch (error) {
        const hasVerdict = !(error instanceof ApiError) || error.reason !== 'ServiceUnavailable';
        if (hasVerdict || tries >= TRIES_MAX) throw error;
      }
      await new Promise<void>((resolve) => {
        this.#modules.loop.after(RETRY_MILLIS, resolve);
      });
    }
  }

  /** Creates the event, also one of a series that is gone from the API meanwhile. */
  async #writeOnce(event: EventBody, series: SeriesBody | null): Promise<void> {
    const { connection } = this.#modules;
    const { name, namespace } = event.metadata;
    const path = `${EVENTS_PATH}/${namespace}/events`;
    const purpose = 'events';
    if (series !== null) {
      const body = { series };
      try {
        const contentType = 'application/merge-patch+json';
        await connection.request({ method: 'PATCH', path: `${path}/${name}`, body, contentType, purpose });
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
      }
    }
    await connection.request({ method: 'POST', path, body: series === null ? event : { ...event, series }, purpose });
  }
}

function referenceTo({ metadata }: Pod): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata ?? {};
  return { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion };
}
