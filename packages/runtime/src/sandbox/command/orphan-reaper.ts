// Ends commands when the runtime is killed. A small separate process waits at the other end of a pipe; when the pipe closes, it ends the
// commands that are still running. Each command is registered before it starts.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { callMark } from './environment.ts'

export interface OrphanReaper {
  /** From now on, every process with this mark ends with the runtime, until `over` is called. */
  include(mark: string): { began(pid: number): void; over(): void }
  stop(): Promise<void>
}

/** A mark is found in the environment of a process, even after forks; without `/proc` only the process group of the first one is known. */
const executor = `
trap '' INT TERM HUP
left=' '
while read -r sign one; do
  case $sign in
    +) left="$left$one " ;;
    -) left=\${left/ $one / } ;;
  esac
done
for round in 1 2 3 4 5 6 7 8 9 10; do
  again=
  for one in $left; do
    case $one in
      p*) kill -KILL -- "-\${one#p}" 2>/dev/null ;;
      m*) for file in $(grep -las -- "${callMark}=\${one#m}" /proc/[0-9]*/environ 2>/dev/null); do
        pid=\${file#/proc/}
        kill -KILL "\${pid%/environ}" 2>/dev/null && again=yes
      done ;;
    esac
  done
  [ "$again" ] || break
done
`

export function openOrphanReaper(): OrphanReaper {
  let executing: ChildProcess | null = null

  function send(line: string): void {
    executing ??= startExecutor(() => {
      executing = null
    })
    executing.stdin?.write(`${line}\n`)
  }

  return {
    include(mark) {
      const registered = [`m${mark}`]
      send(`+ m${mark}`)
      return {
        began(pid) {
          registered.push(`p${pid}`)
          send(`+ p${pid}`)
        },
        over() {
          for (const one of registered.splice(0)) if (executing) send(`- ${one}`)
        },
      }
    },
    async stop() {
      if (!executing) return
      const gone = once(executing, 'exit')
      executing.ref()
      executing.stdin?.end()
      await gone
    },
  }
}

/** In a new session, so that Ctrl-C in a terminal does not reach it. */
function startExecutor(ended: () => void): ChildProcess {
  const child = spawn('bash', ['--norc', '--noprofile', '-c', executor], {
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.once('exit', ended)
  child.once('error', ended)
  child.stdin?.on('error', () => undefined)
  child.unref()
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  return child
}
