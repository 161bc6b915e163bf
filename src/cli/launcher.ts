#!/usr/bin/env node
import { existsSync } from 'node:fs';

/**
 * The command `berth` of the library's package: starts that of a clone, or of the package `kube-berth-cli`, which has
 * everything that only the command needs.
 */
const CLONE = new URL('../cli/main.js', import.meta.url);
const COMMAND = 'kube-berth-cli/berth';

try {
  await import(existsSync(CLONE) ? CLONE.href : COMMAND);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'kube-berth-cli`)) throw error;
  process.stderr.write(
    'berth: this command is in the package kube-berth-cli, which is not installed: npm install kube-berth-cli\n',
  );
  process.exitCode = 1;
}
