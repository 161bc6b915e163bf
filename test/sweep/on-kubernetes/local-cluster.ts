import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Pod } from '../../../src/api/pod.ts';
import { RealEventLoop } from '../../../src/lib/event-loop.ts';
import { serve } from '../../../src/serving/serve.ts';
import type { ServedCluster } from '../../../src/serving/served-cluster.ts';
import { SWEEP_LABEL } from '../../../src/sweep/kubernetes/sweep-job.ts';
import { LocalRuntime, type RuntimeCluster } from './local-runtime.ts';

const TOKEN = 'a-token-that-only-this-test-knows';
const LOG_PATH = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log\b/;
const TURN_MILLIS = 100;

/**
 * `berth serve` with nodes of one runtime, behind an address that stays when the API is restarted:
 *
 *   client ──▶ front ──▶ berth serve (Job controller, scheduler)
 *                │             ▲
 *                └─ logs ◀── runtime ──▶ processes
 */
export class LocalCluster implements RuntimeCluster {
  readonly runtime: LocalRuntime;
  /** The requests of clients, such as `GET pods/log`, and how many there were. */
  readonly requests = new Map<string, number>();
  readonly #data: string;
  readonly #front: Server;
  readonly #timers = new RealEventLoop((error) => {
    throw error;
  });
  #served: ServedCluster | undefined;
  #isClosed = false;

  constructor(folder: string) {
    this.runtime = new LocalRuntime(join(folder, 'pods'));
    this.#data = join(folder, 'data');
    this.#front = createServer((incoming, answer) => this.#pass(incoming, answer));
  }

  async start(nodes: number): Promise<void> {
    await this.#serve(nodes);
    await new Promise<void>((resolve) => this.#front.listen(0, '127.0.0.1', resolve));
    void this.#run();
  }

  get kubeconfig(): string {
    const { port } = this.#front.address() as AddressInfo;
    return stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
      clusters: [{ name: 'test', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'test', user: { token: TOKEN } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    });
  }

  /** The API ends, with all that watches, and goes on from what is on the disk. */
  async restartApi(): Promise<void> {
    await this.#close();
    await this.#serve(0);
  }

  /** The node and everything on it is gone; its object is removed, as cloud providers do. */
  loseNode(name: string): void {
    this.runtime.loseNode(name);
    this.#store.delete('nodes', '', name);
  }

  get jobs(): readonly string[] {
    return this.#store.list('jobs').items.map(({ metadata }) => metadata?.name ?? '');
  }

  /** The plans of sweeps that are there. */
  async configMaps(): Promise<readonly string[]> {
    const selector = encodeURIComponent(SWEEP_LABEL);
    const url = `${this.#served?.url}/api/v1/namespaces/default/configmaps?labelSelector=${selector}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
    const { items } = (await answer.json()) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    return items.map(({ metadata }) => metadata.name);
  }

  /** Makes a volume that several nodes may write to, and a claim that the controller binds to it. */
  makeVolume(name: string): void {
    const spec = { accessModes: ['ReadWriteMany'], storageClassName: '' };
    const volume = { capacity: { storage: '1Gi' }, hostPath: { path: '/scratch' } };
    this.#store.create('persistentvolumes', { metadata: { name }, spec: { ...spec, ...volume } } as never);
    const claim = { ...spec, resources: { requests: { storage: '1Gi' } } };
    this.#store.create('persistentvolumeclaims', { metadata: { name, namespace: 'default' }, spec: claim } as never);
  }

  deleteJob(name: string): void {
    this.#store.delete('jobs', 'default', name, { propagationPolicy: 'Background' });
  }

  pods(): readonly Pod[] {
    return this.#served === undefined ? [] : this.#store.list('pods').items;
  }

  setStatus(pod: Pod, status: NonNullable<Pod['status']>): void {
    this.#store.updateStatus('pods', { ...pod, status });
  }

  removePod({ metadata }: Pod): void {
    const { namespace = '', name = '' } = metadata ?? {};
    this.#store.delete('pods', namespace, name, { gracePeriodSeconds: 0 });
  }

  async configMap(namespace: string, name: string): Promise<Readonly<Record<string, string>>> {
    const url = `${this.#served?.url}/api/v1/namespaces/${namespace}/configmaps/${name}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    return ((await answer.json()) as { binaryData?: Record<string, string> }).binaryData ?? {};
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.runtime.close();
    this.#front.closeAllConnections();
    this.#front.close();
    await this.#close();
  }

  get #store() {
    return (this.#served as ServedCluster).cluster.store;
  }

  async #serve(nodes: number): Promise<void> {
    this.#served = await serve({
      ...{ tls: false, token: TOKEN, data: this.#data, nodes, shapes: ['cpu=2,memory=8Gi,pods=10'] },
      // Nodes have no agents that would report for them; minutes of back-off and garbage collection are seconds.
      ...{ controllers: ['*', '-node-lifecycle-controller'], speed: 10 },
    });
  }

  async #close(): Promise<void> {
    const served = this.#served;
    this.#served = undefined;
    await served?.close();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      if (this.#served !== undefined) await this.runtime.sync(this).catch(() => {});
      await this.sleep(TURN_MILLIS);
    }
  }

  sleep(millis: number): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.after(millis, resolve);
    });
  }

  #count({ method, url = '' }: IncomingMessage): void {
    const [, resource = '', object, subresource] =
      /\/namespaces\/default\/(\w+)(?:\/([^/?]+))?(?:\/(\w+))?/.exec(url) ?? [];
    const ofCluster = /\/(version|selfsubjectaccessreviews)\b/.exec(url)?.[1] ?? '';
    const what = [resource || ofCluster, ...(object === undefined ? [] : [subresource ?? 'NAME'])].join('/');
    const request = `${url.includes('watch=true') ? 'WATCH' : method} ${what}`;
    this.requests.set(request, (this.requests.get(request) ?? 0) + 1);
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const [, namespace, name] = LOG_PATH.exec(incoming.url ?? '') ?? [];
    this.#count(incoming);
    const gone = (code: number, message: string): void => {
      answer.writeHead(code, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code }));
    };
    if (this.#served === undefined) {
      gone(503, 'the API is down');
      return;
    }
    if (name !== undefined && namespace !== undefined) {
      const pod = this.pods().find(({ metadata }) => metadata?.name === name && metadata.namespace === namespace);
      const log = this.runtime.log(pod?.metadata?.uid ?? '');
      if (log === undefined) gone(404, `pods "${name}" not found`);
      else answer.writeHead(200, { 'content-type': 'text/plain' }).end(log);
      return;
    }
    const { method, headers, url } = incoming;
    const passed = request(`${this.#served.url}${url}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
      response.on('error', () => answer.destroy());
      response.on('aborted', () => answer.destroy());
    });
    passed.on('error', () => (answer.headersSent ? answer.destroy() : gone(503, 'the API is down')));
    answer.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }
}
