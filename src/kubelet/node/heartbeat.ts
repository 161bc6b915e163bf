import { type Lease, NODE_LEASE_NAMESPACE, SILENT_RENEWAL } from '../../api/lease.ts';
import type { Node } from '../../api/node.ts';
import type { ReportError } from '../../client/report-error.ts';
import { assert } from '../../lib/assert.ts';
import { combined } from '../../lib/combined.ts';
import { type EventLoop, runReporting, type Timer } from '../../lib/event-loop.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import { findObject } from '../../store/objects/find-object.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import type { PlegHealth } from '../pleg/generic-pleg.ts';
import { nodeConditions, showsConditions, withConditions } from './node-conditions.ts';

export interface HeartbeatModules {
  /** The API as the agent reaches it; calls fail while it is cut off. */
  readonly client: Pick<StoreClient, 'get' | 'find' | 'create' | 'update' | 'updateStatus'>;
  /** The API through which the last silent renewal is written when silent renewals end. */
  readonly directClient: Pick<StoreClient, 'get' | 'update'>;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  readonly health: () => PlegHealth;
  /** Whether the agent may become unhealthy without any further event. */
  readonly isTroubled: () => boolean;
}

export interface HeartbeatOptions {
  readonly nodeName: string;
  /** Renews the lease without writing every renewal. */
  readonly isSilent: boolean;
}

/** Upstream's defaults: nodeLeaseDurationSeconds, a quarter of it, and nodeStatusReportFrequency. */
const LEASE_DURATION_SECONDS = 40;
const RENEW_SECONDS = 10;
const REPORT_MILLIS = 5 * 60_000;
/** The first reports of a new agent are delayed: it does not report an unhealthy node before it has started up. */
const FIRST_REPORT_MILLIS = 1000;
const STARTUP_MILLIS = 30_000;

/**
 * Shows the API that the node is alive: a lease that is renewed every ten seconds, and the node's conditions, when they
 * change and every five minutes.
 *
 * In silent mode the lease is written once, with an annotation from which the renewals follow (`renewedMillis`), and
 * once more when they end, with the time of the last renewal; conditions are written when they change. A reader that
 * computes the renewals knows at any time what written ones would show, and nobody else reads leases.
 */
export class NodeHeartbeat {
  readonly #modules: HeartbeatModules;
  readonly #options: HeartbeatOptions;
  #isRunning = false;
  /** When silent renewals began; undefined while there are none. */
  #silentSinceMillis: number | undefined;
  #startedAtMillis = 0;
  #reportedAtMillis = Number.NEGATIVE_INFINITY;
  /** The last report that was also written. */
  #writtenAtMillis = Number.NEGATIVE_INFINITY;
  #renewal: Timer | undefined;
  #reporting: Timer | undefined;

  constructor(modules: HeartbeatModules, options: HeartbeatOptions) {
    this.#modules = modules;
    this.#options = options;
  }

  start(): void {
    this.#isRunning = true;
    this.#startedAtMillis = this.#modules.loop.nowMillis();
    this.#renewAgain();
    this.#report();
  }

  /** Stops, because the agent ends or has lost its connection to the API. */
  stop(): void {
    this.end();
    const sinceMillis = this.#silentSinceMillis;
    if (sinceMillis === undefined) return;
    this.#silentSinceMillis = undefined;
    const { loop, directClient } = this.#modules;
    const elapsedMillis = loop.nowMillis() - sinceMillis;
    const renewedAtMillis = sinceMillis + Math.floor(elapsedMillis / (1000 * RENEW_SECONDS)) * 1000 * RENEW_SECONDS;
    ifFound(() => {
      const lease = directClient.get('leases', NODE_LEASE_NAMESPACE, this.#options.nodeName);
      directClient.update('leases', this.#leaseFrom(lease, renewedAtMillis));
    });
  }

  /** Stops without writing the last renewal, since nobody will read it. */
  end(): void {
    this.#isRunning = false;
    this.#renewal?.cancel();
    this.#reporting?.cancel();
    this.#reporting = undefined;
  }

  /**
   * Checks the conditions again, because the node was changed or the agent's health may change. The check comes at the
   * next moment, ten seconds apart, at which an agent that is not silent would check.
   */
  check(): void {
    if (!this.#isRunning || this.#reporting !== undefined) return;
    const { loop } = this.#modules;
    const nowMillis = loop.nowMillis();
    const periodMillis = this.#isStartingUp ? FIRST_REPORT_MILLIS : 1000 * RENEW_SECONDS;
    const firstMillis = this.#startedAtMillis + FIRST_REPORT_MILLIS;
    const passed = Math.floor((nowMillis - firstMillis) / periodMillis) + 1;
    const nextMillis = firstMillis + Math.max(0, passed) * periodMillis;
    this.#reporting = loop.after(nextMillis - nowMillis, () => {
      this.#reporting = undefined;
      this.#report();
    });
  }

  nodeChanged(node: Node): void {
    if (!showsConditions(node, nodeConditions(this.#modules.health()))) this.check();
  }

  #renewAgain(): void {
    const isRenewed = this.#try('renew lease', () => this.#renew());
    if (isRenewed && this.#options.isSilent) return;
    this.#renewal = this.#modules.loop.after(1000 * RENEW_SECONDS, () => this.#renewAgain());
  }

  #report(): void {
    const health = this.#modules.health();
    if (!health.ok && this.#isStartingUp) {
      this.check();
      return;
    }
    const isReported = this.#try('report status', () => this.#writeStatus(health));
    if (!this.#options.isSilent || !isReported || !health.ok || this.#modules.isTroubled()) this.check();
  }

  get #isStartingUp(): boolean {
    const isYoung = this.#modules.loop.nowMillis() - this.#startedAtMillis < STARTUP_MILLIS;
    return isYoung && this.#reportedAtMillis < this.#startedAtMillis;
  }

  #try(activity: string, task: () => void): boolean {
    const { reportError } = this.#modules;
    return runReporting(task, (error) => reportError(error, `${activity} of node ${this.#options.nodeName}`));
  }

  /** @throws ApiError */
  #renew(): void {
    if (this.#silentSinceMillis !== undefined) return;
    const { client, loop } = this.#modules;
    const nowMillis = loop.nowMillis();
    const { isSilent, nodeName } = this.#options;
    const found = findObject(client, 'leases', NODE_LEASE_NAMESPACE, nodeName);
    const lease = this.#leaseFrom(found ?? { metadata: { name: nodeName } }, nowMillis, isSilent);
    if (found === undefined) client.create('leases', lease);
    else client.update('leases', lease);
    if (isSilent) this.#silentSinceMillis = nowMillis;
  }

  #leaseFrom({ metadata, ...lease }: Lease, renewedAtMillis: number, isSilent = false): Lease {
    const { [SILENT_RENEWAL]: _, ...others } = metadata?.annotations ?? {};
    const annotations = isSilent ? { ...others, [SILENT_RENEWAL]: String(RENEW_SECONDS) } : others;
    assert(metadata !== undefined, 'a lease has metadata');
    return {
      ...lease,
      metadata: combined(metadata, { namespace: NODE_LEASE_NAMESPACE, annotations }),
      spec: {
        holderIdentity: this.#options.nodeName,
        leaseDurationSeconds: LEASE_DURATION_SECONDS,
        renewTime: new Date(renewedAtMillis),
      },
    };
  }

  /** @throws ApiError */
  #writeStatus(health: PlegHealth): void {
    const { client, loop } = this.#modules;
    const nowMillis = loop.nowMillis();
    const conditions = nodeConditions(health);
    const node = client.get('nodes', '', this.#options.nodeName);
    const isDue = !this.#options.isSilent && nowMillis - this.#writtenAtMillis >= REPORT_MILLIS;
    if (isDue || !showsConditions(node, conditions)) {
      client.updateStatus('nodes', withConditions(node, conditions, nowMillis));
      this.#writtenAtMillis = nowMillis;
    }
    this.#reportedAtMillis = nowMillis;
  }
}
