import type { Lease } from '../../api/lease.ts';
import type { ReportError } from '../../client/report-error.ts';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import type { Prng } from '../../lib/prng.ts';
import { ApiError } from '../../store/objects/api-error.ts';
import { microTime } from '../events/event-series.ts';

/** The lease that candidates compete for. */
export interface LeaseClient {
  /** Rejects with an ApiError `NotFound` if there is none. */
  get(): Promise<Lease>;
  create(lease: Lease): Promise<Lease>;
  /** Rejects with an ApiError `Conflict` if the lease has changed since it was read. */
  update(lease: Lease): Promise<Lease>;
}

/** How candidates compete; as KubeSchedulerConfiguration has it. */
export interface LeaderElectionSettings {
  readonly namespace: string;
  readonly name: string;
  /** The name of this candidate, which no other one has. */
  readonly identity: string;
  /** How long others wait for a leader that is silent. */
  readonly leaseDurationMillis: number;
  /** How long a leader tries to renew its lease before it gives up. */
  readonly renewDeadlineMillis: number;
  /** The pause between two tries. */
  readonly retryPeriodMillis: number;
}

/** The parts that an elector uses. */
export interface LeaderElectorModules {
  readonly lease: LeaseClient;
  readonly loop: EventLoop;
  readonly prng: Prng;
  readonly reportError: ReportError;
}

/** Receives what becomes of the candidate. Each is called once at most, `lost` only after `elected`. */
export interface LeaderCallbacks {
  elected(): void;
  lost(): void;
}

/** Candidates wait up to so many times the retry period. Upstream: JitterFactor. */
const JITTER = 1.2;
const MILLIS_PER_SECOND = 1000;

/**
 * Holds a lease as long as it can be renewed (client-go/tools/leaderelection). Clocks of different machines are not
 * compared: a lease is over when this candidate has not seen it change for its duration.
 *
 *   candidate ──▶ leader ──▶ renewed, renewed, ... ──▶ stopped: the lease is released
 *       ▲ │ held by another     │
 *       └─┘                     └──▶ not renewed for the renew deadline: lost
 */
export class LeaderElector {
  readonly #settings: LeaderElectionSettings;
  readonly #modules: LeaderElectorModules;
  readonly #callbacks: LeaderCallbacks;
  #state: 'candidate' | 'leader' | 'over' = 'candidate';
  #timer: Timer | null = null;
  /** The lease as it was seen last, and when it was first seen so. */
  #observed: Lease | null = null;
  #observedAtMillis = 0;
  /** Ends the leadership that is not renewed, also while a request for it hangs. */
  #deadline: Timer | null = null;
  /** The try that has not ended. */
  #open: Promise<void> = Promise.resolve();

  constructor(settings: LeaderElectionSettings, modules: LeaderElectorModules, callbacks: LeaderCallbacks) {
    this.#settings = settings;
    this.#modules = modules;
    this.#callbacks = callbacks;
  }

  get isLeader(): boolean {
    return this.#state === 'leader';
  }

  /** The identity of the leader as it was seen last; '' if there is none. */
  get leader(): string {
    return this.#observed?.spec?.holderIdentity ?? '';
  }

  start(): void {
    this.#try();
  }

  /** Gives the lease up, so that another candidate need not wait. Never rejects. */
  async stop(): Promise<void> {
    const wasLeader = this.isLeader;
    this.#state = 'over';
    this.#timer?.cancel();
    this.#deadline?.cancel();
    await this.#open;
    if (!wasLeader || this.leader !== this.#settings.identity) return;
    try {
      await this.#write({ ...this.#record(), holderIdentity: '', leaseDurationSeconds: 1 });
    } catch (error) {
      this.#modules.reportError(error, 'release the lease');
    }
  }

  #try(): void {
    this.#open = this.#acquireOrRenew().then(
      (isHeld) => this.#conclude(isHeld),
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.reason !== 'Conflict') this.#report(error);
        this.#conclude(false);
      },
    );
  }

  #report(error: unknown): void {
    const { namespace, name } = this.#settings;
    this.#modules.reportError(error, `${this.isLeader ? 'renew' : 'acquire'} the lease ${namespace}/${name}`);
  }

  #conclude(isHeld: boolean): void {
    if (this.#state === 'over') return;
    const { loop, prng } = this.#modules;
    const { retryPeriodMillis, renewDeadlineMillis } = this.#settings;
    if (isHeld) {
      this.#deadline?.cancel();
      this.#deadline = loop.after(renewDeadlineMillis, () => this.#lose());
      if (this.#state === 'candidate') {
        this.#state = 'leader';
        this.#callbacks.elected();
      }
    }
    const jitterMillis = this.isLeader ? 0 : prng.below(Math.floor(retryPeriodMillis * JITTER) + 1);
    this.#timer = loop.after(retryPeriodMillis + jitterMillis, () => this.#try());
  }

  #lose(): void {
    this.#state = 'over';
    this.#timer?.cancel();
    this.#callbacks.lost();
  }

  /** Returns whether the lease is held. Rejects with an ApiError. */
  async #acquireOrRenew(): Promise<boolean> {
    const { lease, loop } = this.#modules;
    const { identity, name, namespace } = this.#settings;
    let known: Lease;
    try {
      known = await lease.get();
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
      const first = { ...this.#record(), leaseTransitions: 0 };
      this.#observe(await lease.create({ metadata: { name, namespace }, spec: first }));
      return true;
    }
    this.#observe(known);
    const { holderIdentity = '', leaseDurationSeconds = 0 } = known.spec ?? {};
    const isSilent = loop.nowMillis() - this.#observedAtMillis >= leaseDurationSeconds * MILLIS_PER_SECOND;
    if (holderIdentity !== '' && holderIdentity !== identity && !isSilent) return false;
    await this.#write(this.#record());
    return true;
  }

  #observe(lease: Lease): void {
    const isNews = lease.metadata?.resourceVersion !== this.#observed?.metadata?.resourceVersion;
    if (this.#observed === null || isNews) {
      this.#observedAtMillis = this.#modules.loop.nowMillis();
    }
    this.#observed = lease;
  }

  /** Replaces the spec of the lease that was seen last. Rejects with an ApiError. */
  async #write(spec: NonNullable<Lease['spec']>): Promise<void> {
    this.#observe(await this.#modules.lease.update({ ...this.#observed, spec }));
  }

  /** The lease as this candidate holds it from now on. */
  #record(): NonNullable<Lease['spec']> {
    const { identity, leaseDurationMillis } = this.#settings;
    const before = this.#observed?.spec;
    const time = microTime(this.#modules.loop.nowMillis());
    const isSame = before?.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.floor(leaseDurationMillis / MILLIS_PER_SECOND),
      acquireTime: isSame ? (before.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: (before?.leaseTransitions ?? 0) + (isSame ? 0 : 1),
    };
  }
}
