import type { Container } from '../../api/pod.ts';

/** An init container that goes on running beside the others (a restartable init container). */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}
