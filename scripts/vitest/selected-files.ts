import type { TestProject } from 'vitest/node';

/** The test files of a project that the command line of Vitest names by parts of their paths; all if it names none. */
export async function selectedFiles(project: TestProject): Promise<readonly string[]> {
  const named = process.argv.slice(2).map((operand) => operand.replace(/:\d+$/, ''));
  const parts = named.filter((part) => !/^-|^(?:run|watch|)$/.test(part) && part !== project.name);
  const { testFiles } = await project.globTestFiles(parts);
  return testFiles.length > 0 ? testFiles : (await project.globTestFiles()).testFiles;
}
