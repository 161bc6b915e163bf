import { Expectations } from '../../client/expectations.ts';
import { UidExpectations } from '../../client/uid-expectations.ts';
import type { Clock } from '../../lib/clock.ts';
import type { BackOffRecord } from './back-off.ts';
import type { Observation } from './observe-pods.ts';
import type { PodFacts } from './pod-facts.ts';

/** What the controller remembers between syncs, by Job; lost when it is restarted. */
export class JobMemory {
  /** Pods whose creation or deletion the cache does not show yet. */
  readonly expectations: Expectations;
  /** Pods without finalizer that the cache still shows with it. */
  readonly finalizerRemovals = new UidExpectations();
  /** Of Jobs whose last pods failed. */
  readonly backOffRecords = new Map<string, BackOffRecord>();
  readonly observations = new Map<string, Observation>();
  /** Of the pods as they were when they were last looked at. */
  readonly podFacts = new Map<string, PodFacts>();
  /** Uids of Jobs whose end was written and not seen yet. */
  readonly finished = new Set<string>();

  constructor(clock: Clock) {
    this.expectations = new Expectations(clock);
  }

  setBackOff(key: string, record: BackOffRecord): void {
    if (record.failures > 0) this.backOffRecords.set(key, record);
    else this.backOffRecords.delete(key);
  }

  /** The Job has ended, and is seen to have. */
  settle(key: string): void {
    this.backOffRecords.delete(key);
    this.observations.delete(key);
    this.podFacts.delete(key);
  }

  /** The Job is gone. */
  forget(key: string): void {
    this.expectations.delete(key);
    this.finalizerRemovals.delete(key);
    this.settle(key);
  }
}
