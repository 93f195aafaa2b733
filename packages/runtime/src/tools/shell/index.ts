// The four tools that start, list and end processes.
import type { RemoteCommands } from '../../call/remote.ts'
import type { Tool } from '../../call/tool.ts'
import { shellExec } from './exec.ts'
import { processKill } from './kill.ts'
import { processList } from './list.ts'
import type { Processes } from './processes.ts'
import { scriptRun } from './script.ts'

export { openProcesses, type Processes } from './processes.ts'

export function shellTools(processes: Processes, remote: () => RemoteCommands): readonly Tool[] {
  return [shellExec(processes, remote), scriptRun(processes, remote), processList(processes), processKill(processes)]
}
