#!/usr/bin/env node
import { run } from './program.ts';
import { nodeTerminal } from './terminal/node-terminal.ts';

// There is no handler for SIGINT: a batch does not return to the event loop, and the default handler ends even that at
// once (a shell reports 130). The exit code is set rather than forced, so that output in the pipe is not lost.
process.exitCode = await run(process.argv.slice(2), nodeTerminal());
