/** A program that has threads started and never lets go of them: it must end all the same. */
import { Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { waitUntil } from './always-share.ts';

/** Enough that steps are shared. */
const NODES = 3000;

const scheduler = new Scheduler({ workers: 2, index: false, validate: false });
for (let i = 0; i < NODES; i++) scheduler.addNode(makeNode(`n${i}`, { cpu: 4 }));
const pod = makePod('p', { requests: { cpu: 1 } });
waitUntil(() => {
  scheduler.explain(pod);
  return scheduler.workerCounters.sharedSteps > 0;
}, 'a step is shared');
process.stdout.write(`${scheduler.schedule(pod).status} by ${scheduler.workers}\n`);
