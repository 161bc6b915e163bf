import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/api/lease.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { LeaderElector, type LeaseClient } from '../../../src/remote/leader-election/leader-elector.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';

const SECOND_MILLIS = 1000;

/** A lease in memory, with versions as an API server has them. */
class Shelf {
  lease: Lease | null = null;
  /** While it is set, no request is answered. */
  isSilent = false;
  #version = 0;

  client(): LeaseClient {
    return {
      get: () => this.#answer(() => this.lease ?? fail('NotFound')),
      create: (lease) => this.#answer(() => (this.lease === null ? this.#put(lease) : fail('AlreadyExists'))),
      update: (lease) =>
        this.#answer(() => {
          const isKnown = lease.metadata?.resourceVersion === this.lease?.metadata?.resourceVersion;
          return isKnown ? this.#put(lease) : fail('Conflict');
        }),
    };
  }

  #put(lease: Lease): Lease {
    this.#version++;
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.#version) } };
    return this.lease;
  }

  #answer(make: () => Lease): Promise<Lease> {
    if (this.isSilent) return new Promise(() => {});
    return (async () => make())();
  }
}

function fail(reason: 'NotFound' | 'AlreadyExists' | 'Conflict'): never {
  throw new ApiError(reason, reason);
}

class Rig {
  readonly loop = new VirtualEventLoop();
  readonly shelf = new Shelf();
  readonly happened: string[] = [];

  candidate(identity: string): LeaderElector {
    const settings = {
      ...{ namespace: 'kube-system', name: 'berth', identity },
      leaseDurationMillis: 15 * SECOND_MILLIS,
      renewDeadlineMillis: 10 * SECOND_MILLIS,
      retryPeriodMillis: 2 * SECOND_MILLIS,
    };
    const reportError = (error: unknown) => this.happened.push(`${identity} ${error}`);
    const modules = { lease: this.shelf.client(), loop: this.loop, prng: new Prng(1), reportError };
    const elector = new LeaderElector(settings, modules, {
      elected: () => this.happened.push(`${identity} elected`),
      lost: () => this.happened.push(`${identity} lost`),
    });
    elector.start();
    return elector;
  }

  /** Lets time pass in steps between which requests are answered. */
  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds * 10; i++) {
      for (let j = 0; j < 10; j++) await null;
      this.loop.runUntil(this.loop.nowMillis() + SECOND_MILLIS / 10);
    }
  }
}

describe('LeaderElector', () => {
  it('lets one of several candidates lead, and keeps it', async () => {
    const rig = new Rig();
    const first = rig.candidate('a');
    await rig.pass(1);
    const second = rig.candidate('b');
    await rig.pass(120);
    expect(rig.happened).toEqual(['a elected']);
    expect([first.isLeader, second.isLeader, second.leader]).toEqual([true, false, 'a']);
    expect(rig.shelf.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
  });

  it('gives the lease up when it is stopped, so that the next one need not wait', async () => {
    const rig = new Rig();
    const first = rig.candidate('a');
    await rig.pass(1);
    rig.candidate('b');
    await rig.pass(5);
    void first.stop();
    await rig.pass(5);
    expect(rig.happened).toEqual(['a elected', 'b elected']);
    expect(rig.shelf.lease?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('waits for the duration of a lease whose holder is silent', async () => {
    const rig = new Rig();
    rig.shelf.lease = { spec: { holderIdentity: 'gone', leaseDurationSeconds: 15 } };
    rig.candidate('b');
    await rig.pass(14);
    expect(rig.happened).toEqual([]);
    await rig.pass(8);
    expect(rig.happened).toEqual(['b elected']);
  });

  it('is lost when the lease is not renewed in time, also while a request hangs', async () => {
    const rig = new Rig();
    rig.candidate('a');
    await rig.pass(3);
    rig.shelf.isSilent = true;
    await rig.pass(8);
    expect(rig.happened).toEqual(['a elected']);
    await rig.pass(3);
    expect(rig.happened).toEqual(['a elected', 'a lost']);
  });
});
