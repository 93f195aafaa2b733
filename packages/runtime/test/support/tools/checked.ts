import type { Tool } from '../../../src/call/tool.ts'
import { Waiting } from '../../../src/call/wait.ts'
import { openMismatch, outputProblem } from '../../../src/pipeline/validate.ts'

/** The result of a tool that is called without the pipeline. As there, one that does not match the schema of its tool fails the test. */
export async function checked<Output>(tool: Tool, result: Promise<Output>): Promise<Output> {
  const output = await result
  const problem = output instanceof Waiting ? null : outputProblem(tool, output)
  if (problem !== null) openMismatch(() => undefined)(tool.name, problem)
  return output
}
