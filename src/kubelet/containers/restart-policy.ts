import type { Container, Pod } from '../../api/pod.ts';
import type { RuntimeContainerStatus } from '../pleg/runtime.ts';
import { isSidecar } from './sidecar.ts';

/**
 * Whether a container that is not running is to be started, for the first time (`latest` undefined) or again.
 * Upstream: ShouldContainerBeRestarted in pkg/kubelet/container/helpers.go.
 */
export function shouldRestart(
  { metadata, spec }: Pod,
  container: Container,
  latest: Pick<RuntimeContainerStatus, 'state' | 'exitCode'> | undefined,
): boolean {
  if (metadata?.deletionTimestamp !== undefined) return false;
  if (latest === undefined) return true;
  if (latest.state === 'running') return false;
  if (latest.state !== 'exited') return true;
  if (isSidecar(container)) return true;
  const policy = container.restartPolicy || spec?.restartPolicy || 'Always';
  if (policy === 'Never') return false;
  return policy === 'Always' || latest.exitCode !== 0;
}
