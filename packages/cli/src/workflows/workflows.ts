import { joinUsages, printUsage } from '../terminal/args.ts'
import { approve, approveUsage, disapprove, disapproveUsage } from './approve.ts'
import { cancel, cancelUsage, pause, pauseUsage, skip, skipUsage } from './control.ts'
import { deleteUsage, deleteWorkflow } from './delete.ts'
import { draft, draftUsage } from './draft.ts'
import { history, historyUsage } from './history.ts'
import { list, listUsage, runs, runsUsage } from './list.ts'
import { resume, resumeUsage, retry, retryUsage } from './resume.ts'
import { check, checkUsage, save, saveUsage } from './save.ts'
import { show, showUsage } from './show.ts'
import { start, startUsage } from './start.ts'
import { output, outputUsage, status, statusUsage } from './status.ts'
import { wait, waitUsage } from './wait.ts'

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  list,
  show,
  save,
  check,
  draft,
  approve,
  disapprove,
  delete: deleteWorkflow,
  start,
  runs,
  status,
  wait,
  history,
  output,
  pause,
  resume,
  cancel,
  retry,
  skip,
}

const usage = joinUsages(
  listUsage,
  showUsage,
  saveUsage,
  checkUsage,
  draftUsage,
  approveUsage,
  disapproveUsage,
  deleteUsage,
  startUsage,
  runsUsage,
  statusUsage,
  waitUsage,
  historyUsage,
  outputUsage,
  pauseUsage,
  resumeUsage,
  cancelUsage,
  retryUsage,
  skipUsage,
  'WORKFLOW is the name or the id of a workflow, RUN the id of a workflow run.',
)

/** `tandem workflows`: the workflows of this device and their runs. */
export async function workflows([verb = 'list', ...args]: readonly string[]): Promise<number> {
  if (verb === '--help' || verb === '-h') {
    console.log(`usage: ${usage}`)
    return 0
  }
  if (verb.startsWith('-')) return await list([verb, ...args])
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return run ? await run(args) : printUsage(`unknown action "${verb}": choose one of ${Object.keys(verbs).join(', ')}`, usage)
}
