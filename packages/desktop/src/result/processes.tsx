import type { OutputPage, ProcessFacts } from '@tandem/contract/tool/output'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { TerminalOutput } from './terminal.tsx'

const mostRows = 200

export function Processes({ processes }: { processes: readonly ProcessFacts[] }) {
  if (processes.length === 0) return <p className="text-faint">{words.result.noProcesses}</p>
  const { command, pid, state, time } = words.result.processes
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="text-faint">
          <tr>
            {[command, pid, state, time].map((name) => (
              <th key={name} scope="col" className="py-1 pr-4 font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {processes.slice(0, mostRows).map((one) => (
            <tr key={one.process_id} className="border-line border-t align-baseline">
              <td className="wrap-anywhere py-1 pr-4 font-mono text-[13px]">{visibleText(one.command)}</td>
              <td className="py-1 pr-4">{one.pid}</td>
              <td className="whitespace-nowrap py-1 pr-4">{stateText(one)}</td>
              <td className="whitespace-nowrap py-1">{words.result.seconds(one.duration_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function ProcessOutput({ output: { text, missed }, ...process }: ProcessFacts & { readonly output: OutputPage }) {
  return (
    <div className="space-y-2">
      <Processes processes={[process]} />
      {missed > 0 && <p className="text-faint text-sm">{words.result.missed(missed)}</p>}
      {text === '' ? <p className="text-faint">{words.result.noNewOutput}</p> : <TerminalOutput text={text} />}
    </div>
  )
}

function stateText({ state, timed_out, exit_code, signal }: ProcessFacts): string {
  if (state === 'running') return words.result.running
  if (timed_out) return words.result.timedOut
  return exit_code === null ? words.result.signal(visibleText(signal ?? '')) : words.result.exit(exit_code)
}
