import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkBanned } from './tidy/banned.ts';
import { checkCycles, checkFolderCycles } from './tidy/cycles.ts';
import { checkDeadFiles } from './tidy/dead-files.ts';
import { checkNamedPaths, readDocuments } from './tidy/documents.ts';
import { checkLadder, unorderedRooms } from './tidy/ladder.ts';
import { checkOwnTests } from './tidy/own-tests.ts';
import { checkRoomSizes } from './tidy/rooms.ts';
import { checkFileLines, checkFunctionLines, checkLineColumns } from './tidy/sizes.ts';
import { type Problem, ROOT, readProject, report, type SourceFile } from './tidy/source-file.ts';
import { checkStartedPrograms } from './tidy/started-programs.ts';
import { checkBuiltFiles, checkNames, checkSkippedTests, checkUnfinished } from './tidy/words.ts';

const files = readProject();

/** The house rules. Each is tested on a text that breaks it in test/tidy/. */
const RULES: Readonly<Record<string, (files: readonly SourceFile[]) => Problem[]>> = {
  'imports point down the ladder': checkLadder,
  'no files import each other in a circle': checkCycles,
  'no folders import each other in a circle': checkFolderCycles,
  'no room is a drawer': checkRoomSizes,
  'time, randomness, printing and the process come in from outside': checkBanned,
  'files are short': checkFileLines,
  'lines are short': checkLineColumns,
  'functions are short': checkFunctionLines,
  'no file is dead': checkDeadFiles,
  'every file of the engine with logic has a test of its own': checkOwnTests,
  'tests that start a program have a script of their own': checkStartedPrograms,
  'no unfinished work is noted in comments': checkUnfinished,
  'no test is skipped or runs alone': checkSkippedTests,
  'names say what is inside': checkNames,
};

describe('tidy', () => {
  it.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(report(rule(files))).toEqual([]);
  });

  it('the ladder has no circle', () => {
    expect(unorderedRooms()).toEqual([]);
  });

  it('documents name files that are there', () => {
    const documents = readDocuments();
    expect(documents.map(({ path }) => path)).toEqual(expect.arrayContaining(['ARCHITECTURE.md', 'bench/README.md']));
    expect(report(checkNamedPaths(documents))).toEqual([]);
  });

  it('no built file is in git', () => {
    expect(report(checkBuiltFiles(trackedPaths()))).toEqual([]);
  });

  it('looks at every folder of the project', () => {
    const folders = new Set(files.map(({ path }) => path.split('/')[0]));
    expect([...folders]).toEqual(expect.arrayContaining(['src', 'assembly', 'test', 'bench']));
  });
});

/** The paths in git; an unpacked archive without a repository has none. */
function trackedPaths(): string[] {
  if (!existsSync(`${ROOT}.git`)) return [];
  return execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
}
