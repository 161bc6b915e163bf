import type { Container } from '../../api/pod.ts';

/**
 * Whether the init container is a sidecar, which keeps running beside the containers (a restartable init container).
 */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}
