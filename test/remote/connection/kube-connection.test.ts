import { describe, expect, it } from 'vitest';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { type ConnectionOptions, KubeConnection } from '../../../src/remote/connection/kube-connection.ts';
import type { HttpClients } from '../../../src/remote/connection/pools.ts';
import { remoteLease } from '../../../src/remote/remote-lease.ts';

/** A connection on virtual time to a server that answers everything at once, and the paths that it was asked for. */
class Rig {
  readonly loop = new VirtualEventLoop();
  readonly asked: string[] = [];
  readonly connection: KubeConnection;

  constructor(options: ConnectionOptions) {
    const { asked } = this;
    class AnsweringPool {
      async request({ method, path }: { readonly method: string; readonly path: string }) {
        asked.push(`${method} ${path}`);
        return { statusCode: 200, headers: {}, body: { text: async () => '{}' } };
      }
      async destroy(): Promise<void> {}
    }
    const credentials = { server: 'https://10.0.0.1', tls: {}, headers: async () => ({}) };
    const undici = { Pool: AnsweringPool } as unknown as HttpClients;
    this.connection = new KubeConnection(undici, credentials, this.loop, options);
  }

  /** Lets so much time pass, and all that follows from it. */
  async pass(millis: number): Promise<void> {
    this.loop.runUntil(this.loop.nowMillis() + millis);
    for (let i = 0; i < 20; i++) await Promise.resolve();
  }
}

describe('the rate of requests', () => {
  it('is that of the options after the first burst', async () => {
    const rig = new Rig({ qps: 10, burst: 5 });
    for (let i = 0; i < 50; i++) void rig.connection.request({ method: 'GET', path: `/${i}` });
    await rig.pass(0);
    expect(rig.asked).toHaveLength(5);
    await rig.pass(1000);
    expect(rig.asked).toHaveLength(15);
  });

  it('of a lease and of events does not depend on how many other requests wait', async () => {
    const rig = new Rig({ qps: 10, burst: 1 });
    for (let i = 0; i < 50; i++) void rig.connection.request({ method: 'POST', path: '/work' });
    void remoteLease(rig.connection, 'kube-system', 'berth').get();
    void rig.connection.request({ method: 'POST', path: '/event', purpose: 'events' });
    await rig.pass(0);
    expect(rig.asked.sort()).toEqual([
      'GET /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/berth',
      'POST /event',
      'POST /work',
    ]);
  });
});

it('connects anew when a program gives another certificate', async () => {
  const opened: string[] = [];
  class NotingPool {
    readonly #cert: string;
    constructor(_origin: string, { connect }: { readonly connect: { readonly cert: string } }) {
      this.#cert = connect.cert;
      opened.push(connect.cert);
    }
    async request() {
      const statusCode = this.#cert === 'new' ? 200 : 401;
      return { statusCode, headers: {}, body: { text: async () => JSON.stringify(this.#cert), dump: async () => {} } };
    }
    async close(): Promise<void> {}
  }
  const credentials = {
    ...{ server: 'https://10.0.0.1', tls: { cert: 'old', key: 'k' } },
    async headers(wereRefused: boolean) {
      if (wereRefused) this.tls = { cert: 'new', key: 'k' };
      return {};
    },
  };
  const clients = { Pool: NotingPool } as unknown as HttpClients;
  const connection = new KubeConnection(clients, credentials, new VirtualEventLoop(), { qps: 0 });
  expect(await connection.request({ method: 'GET', path: '/' })).toBe('new');
  expect(await connection.request({ method: 'GET', path: '/' })).toBe('new');
  expect(opened).toEqual(['old', 'old', 'old', 'new', 'new', 'new']);
});
