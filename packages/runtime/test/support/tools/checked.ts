import type { Tool } from '../../../src/call/tool.ts'
import { Waiting } from '../../../src/call/wait.ts'
import { openMismatch, outputProblem } from '../../../src/pipeline/validate.ts'

/** The result of a tool called without the pipeline. As in the pipeline, one that does not match the schema of its tool is an error. */
export async function checkedResult<Output>(tool: Tool, result: Promise<Output>): Promise<Output> {
  const output = await result
  const problem = output instanceof Waiting ? null : outputProblem(tool, output)
  if (problem !== null) openMismatch(() => undefined)(tool.name, problem)
  return output
}
