/** An operator: for each Website it keeps a Deployment, and reports how many of its pods are ready. */
import {
  AppsV1Api,
  CustomObjectsApi,
  type Informer,
  type KubeConfig,
  makeInformer,
  type V1Deployment,
  type V1ObjectMeta,
} from '@kubernetes/client-node';

export interface Website {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'Website';
  readonly metadata: V1ObjectMeta;
  readonly spec: { readonly image: string; readonly replicas: number };
  readonly status?: { readonly ready: number };
}

const KIND = { group: 'example.com', version: 'v1', plural: 'websites' };

export class WebsiteOperator {
  readonly #apps: AppsV1Api;
  readonly #custom: CustomObjectsApi;
  readonly #informers: readonly Informer<Website | V1Deployment>[];
  readonly #report: (error: unknown) => void;
  #isStopped = false;
  readonly #busy = new Map<string, Promise<void>>();

  constructor(config: KubeConfig, report: (error: unknown) => void) {
    const apps = config.makeApiClient(AppsV1Api);
    const custom = config.makeApiClient(CustomObjectsApi);
    this.#apps = apps;
    this.#custom = custom;
    this.#report = report;
    const websites = makeInformer<Website>(config, `/apis/${KIND.group}/${KIND.version}/${KIND.plural}`, () =>
      custom.listClusterCustomObject(KIND),
    );
    const deployments = makeInformer<V1Deployment>(config, '/apis/apps/v1/deployments', () =>
      apps.listDeploymentForAllNamespaces(),
    );
    this.#informers = [websites, deployments];
    for (const informer of this.#informers) {
      for (const verb of ['add', 'update', 'delete'] as const) {
        informer.on(verb, ({ metadata }) => this.#enqueue(metadata));
      }
      // A watch that is ended by `stop` reports that, too.
      informer.on('error', (error) => this.#isStopped || report(error));
    }
  }

  async start(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.start()));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#informers.map((informer) => informer.stop()));
    await Promise.all(this.#busy.values());
  }

  /** One after the other for each name. */
  #enqueue({ namespace = '', name = '' }: V1ObjectMeta = {}): void {
    const key = `${namespace}/${name}`;
    const before = this.#busy.get(key) ?? Promise.resolve();
    this.#busy.set(key, before.then(() => this.#reconcile({ namespace, name })).catch(this.#report));
  }

  async #reconcile(key: { namespace: string; name: string }): Promise<void> {
    const website: Website | undefined = await ifFound(this.#custom.getNamespacedCustomObject({ ...KIND, ...key }));
    const found = await ifFound(this.#apps.readNamespacedDeployment(key));
    if (website === undefined) {
      if (found !== undefined) await ifFound(this.#apps.deleteNamespacedDeployment(key));
      return;
    }
    const wanted = deploymentOf(website);
    if (found === undefined) await this.#apps.createNamespacedDeployment({ namespace: key.namespace, body: wanted });
    else if (found.spec?.replicas !== website.spec.replicas) {
      await this.#apps.replaceNamespacedDeployment({ ...key, body: { ...found, spec: wanted.spec } });
    }
    const ready = found?.status?.readyReplicas ?? 0;
    if (website.status?.ready === ready) return;
    const body = { ...website, status: { ready } };
    await this.#custom.replaceNamespacedCustomObjectStatus({ ...KIND, ...key, body });
  }
}

function deploymentOf({ metadata, spec }: Website) {
  const { name = '', namespace = '' } = metadata;
  const labels = { website: name };
  return {
    metadata: { name, namespace },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: spec.image, resources: { requests: { cpu: '1' } } }] },
      },
    },
  };
}

async function ifFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if ((error as { code?: number }).code === 404) return undefined;
    throw error;
  }
}
