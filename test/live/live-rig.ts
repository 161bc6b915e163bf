import type { Pod } from '../../src/api/pod.ts';
import { RealEventLoop } from '../../src/lib/event-loop.ts';
import { connect } from '../../src/live/connect.ts';
import { LiveScheduler, type LiveSchedulerOptions, type SilentWatcher } from '../../src/live/live-scheduler.ts';
import type { ConnectionOptions } from '../../src/remote/connection/kube-connection.ts';
import { loadKubeconfig } from '../../src/remote/connection/kubeconfig.ts';
import { serve } from '../../src/serving/serve.ts';
import type { ServeOptions } from '../../src/serving/serve-options.ts';
import type { ServedCluster } from '../../src/serving/served-cluster.ts';

/** A served cluster without a scheduler of its own, and schedulers that connect to it over TLS. */
export class LiveRig implements AsyncDisposable {
  readonly served: ServedCluster;
  /** What schedulers reported: the activity and the error. */
  readonly reported: string[] = [];
  readonly #ends: (() => Promise<void>)[] = [];

  private constructor(served: ServedCluster) {
    this.served = served;
  }

  static async open(options: ServeOptions = {}): Promise<LiveRig> {
    return new LiveRig(await serve({ nodes: 5, scheduler: false, ...options }));
  }

  /** Starts a scheduler; `kubeconfig`: the file by which it connects, absent: straight to the server. */
  async scheduler(
    options: LiveSchedulerOptions = {},
    { kubeconfig = this.served.writeKubeconfig(), identity = 'a', ...connection }: SchedulerPlace = {},
    silent: SilentWatcher | null = null,
  ): Promise<LiveScheduler> {
    const report = (error: unknown, activity: string): void => {
      this.reported.push(`${activity}: ${error instanceof Error ? error.message : error}`);
    };
    const loop = new RealEventLoop((error) => report(error, 'a task'));
    const opened = await connect(await loadKubeconfig({ kubeconfig }), loop, { qps: 0, ...connection });
    const lost = (): void => void this.reported.push(`${identity} lost the lease`);
    const live = new LiveScheduler({ connection: opened, loop, reportError: report, identity, lost }, options, silent);
    live.start();
    this.#ends.push(async () => {
      await live.stop();
      loop.close();
    });
    return live;
  }

  async createPods(count: number, pod: (i: number) => Partial<Pod> = () => ({})): Promise<void> {
    for (let i = 0; i < count; i++) await this.served.create(podNamed(`p${i}`, pod(i)));
  }

  pods(): readonly Pod[] {
    return this.served.cluster.store.list('pods').items;
  }

  boundCount(): number {
    return this.pods().filter(({ spec }) => spec?.nodeName).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends) await end();
    await this.served.close();
  }
}

interface SchedulerPlace extends ConnectionOptions {
  readonly kubeconfig?: string;
  readonly identity?: string;
}

function podNamed(name: string, { metadata, spec }: Partial<Pod>): Pod {
  const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '1' } } }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec: { containers, ...spec } };
}
