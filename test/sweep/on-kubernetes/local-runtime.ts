import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pod } from '../../../src/api/pod.ts';
import { INDEX_ANNOTATION } from '../../../src/sweep/kubernetes/sweep-job.ts';
import { MAIN } from '../../cli/run-built.ts';

/** What the runtime asks of a cluster, which may be another one after a restart of the API. */
export interface RuntimeCluster {
  pods(): readonly Pod[];
  /** @throws when the pod is gone, or has changed meanwhile */
  setStatus(pod: Pod, status: NonNullable<Pod['status']>): void;
  removePod(pod: Pod): void;
  /** The binary data of a ConfigMap. */
  configMap(namespace: string, name: string): Promise<Readonly<Record<string, string>>>;
}

interface LocalPod {
  readonly node: string;
  readonly index: string;
  child?: ChildProcess;
  log: string;
  exitCode?: number;
}

interface LocalVolume {
  readonly configMap?: { readonly name: string };
  readonly projected?: { readonly sources: readonly { readonly configMap: { readonly name: string } }[] };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

/** The image that no node can pull. */
export const MISSING_IMAGE = 'registry.invalid/berth:none';

/** The nodes of a cluster: every pod that is bound runs as a process of this machine. */
export class LocalRuntime {
  readonly #folder: string;
  readonly #pods = new Map<string, LocalPod>();
  readonly #lostNodes = new Set<string>();
  /** How many processes were started for each index. */
  readonly starts = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Looks at all pods once, and reports what has become of them. */
  async sync(cluster: RuntimeCluster): Promise<void> {
    for (const pod of cluster.pods()) {
      const node = pod.spec?.nodeName;
      const uid = pod.metadata?.uid ?? '';
      if (!node || this.#lostNodes.has(node)) continue;
      if (pod.metadata?.deletionTimestamp !== undefined) {
        this.#pods.get(uid)?.child?.kill('SIGKILL');
        cluster.removePod(pod);
      } else if (!this.#pods.has(uid)) {
        await this.#start(pod, uid, node, cluster);
      } else this.#report(pod, this.#pods.get(uid) as LocalPod, cluster);
    }
  }

  /** The log of a pod, as its node serves it. */
  log(uid: string): string | undefined {
    const pod = this.#pods.get(uid);
    return pod === undefined || this.#lostNodes.has(pod.node) ? undefined : pod.log;
  }

  get running(): readonly { readonly uid: string; readonly node: string; readonly index: string }[] {
    return [...this.#pods].flatMap(([uid, { child, exitCode, node, index }]) =>
      child === undefined || exitCode !== undefined ? [] : [{ uid, node, index }],
    );
  }

  kill(uid: string): void {
    this.#pods.get(uid)?.child?.kill('SIGKILL');
  }

  /** The node is gone with its processes and their logs, and reports nothing any more. */
  loseNode(name: string): void {
    this.#lostNodes.add(name);
    for (const { node, child } of this.#pods.values()) if (node === name) child?.kill('SIGKILL');
  }

  close(): void {
    for (const { child } of this.#pods.values()) child?.kill('SIGKILL');
  }

  async #start(pod: Pod, uid: string, node: string, cluster: RuntimeCluster): Promise<void> {
    const container = pod.spec?.containers?.[0];
    const index = pod.metadata?.annotations?.[INDEX_ANNOTATION] ?? '';
    if (container?.image === MISSING_IMAGE) {
      const waiting = { reason: 'ErrImagePull', message: 'failed to resolve reference: no such host' };
      setStatus(cluster, pod, { phase: 'Pending', containerStatuses: [{ name: 'sweep', state: { waiting } }] });
      return;
    }
    const { volumes = [] } = pod.spec as { volumes?: readonly LocalVolume[] };
    const names = volumes.flatMap(({ configMap, projected }) =>
      [...(configMap === undefined ? [] : [{ configMap }]), ...(projected?.sources ?? [])].map(
        (one) => one.configMap.name,
      ),
    );
    // While the API is down this fails, and the pod is started in a later turn.
    const parts = await Promise.all(names.map((name) => cluster.configMap(pod.metadata?.namespace ?? '', name)));
    const data: Record<string, string> = Object.assign({}, ...parts);
    const own: LocalPod = { node, index, log: '' };
    this.#pods.set(uid, own);
    const folder = join(this.#folder, uid);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, name), Buffer.from(text, 'base64'));
    const { args = [] } = container as { args?: readonly string[] };
    const claim = volumes.find(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
    const volume = join(this.#folder, claim?.persistentVolumeClaim?.claimName ?? '');
    const argv = args.map((arg) => arg.replace(/^\/berth\//, `${folder}/`).replace(/^\/results\//, `${volume}/`));
    for (const arg of argv) if (arg.startsWith(`${volume}/`)) mkdirSync(dirname(arg), { recursive: true });
    this.starts.set(index, (this.starts.get(index) ?? 0) + 1);
    const child = spawn(process.execPath, [MAIN, ...argv], { env: { ...process.env, JOB_COMPLETION_INDEX: index } });
    own.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        own.log += text;
      });
    }
    child.on('close', (code, signal) => {
      own.exitCode = code ?? (signal === null ? 1 : KILLED);
    });
  }

  #report(pod: Pod, { child, exitCode, log }: LocalPod, cluster: RuntimeCluster): void {
    if (child === undefined) return;
    const phase = exitCode === undefined ? 'Running' : exitCode === 0 ? 'Succeeded' : 'Failed';
    if (pod.status?.phase === phase) return;
    const message = phase === 'Failed' ? log.slice(-2000) : undefined;
    const ended = { exitCode: exitCode ?? 0, reason: phase === 'Failed' ? 'Error' : 'Completed', message };
    const state = exitCode === undefined ? { running: {} } : { terminated: ended };
    setStatus(cluster, pod, { ...pod.status, phase, containerStatuses: [{ name: 'sweep', state }] });
  }
}

/** The exit code of a process that SIGKILL ended. */
const KILLED = 137;

/** A pod that has changed, or is gone, is looked at again in the next turn. */
function setStatus(cluster: RuntimeCluster, pod: Pod, status: object): void {
  try {
    cluster.setStatus(pod, status as NonNullable<Pod['status']>);
  } catch {
    // The next turn has the pod as it is by then.
  }
}
