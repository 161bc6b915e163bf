import { RealEventLoop } from '../../lib/event-loop.ts';
import { connect } from '../../live/connect.ts';
import type { ConnectionOptions, KubeConnection } from '../../remote/connection/kube-connection.ts';
import { loadKubeconfig } from '../../remote/connection/kubeconfig.ts';
import type { ClusterFlags } from '../flags/cluster-flags.ts';

/** A connection with the loop that it runs on. @throws CodedError */
export async function connectTo(
  { kubeconfig, context }: ClusterFlags,
  options: ConnectionOptions,
  onError: (error: unknown) => void,
): Promise<{ readonly connection: KubeConnection; readonly loop: RealEventLoop }> {
  const credentials = await loadKubeconfig({ kubeconfig, context, environment: process.env });
  const loop = new RealEventLoop(onError);
  return { connection: await connect(credentials, loop, options), loop };
}
