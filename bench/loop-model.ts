// The model of the loop benchmark. It reads the job from the prompt and counts the tool results.
import { resultCount, type Say, serveScript } from './scripted-model.ts'

const sentence = 'All of it was looked at, and what was found is as it should be. '

/** The name and arguments of each subject's tool; the first one that is offered is called. */
const tools = {
  steps: [
    { name: 'time__now', arguments: {} },
    { name: 'time_now', arguments: {} },
  ],
  write: [
    { name: 'fs__write', arguments: { path: 'hello.txt', content: 'hello\n' } },
    { name: 'write', arguments: { filePath: 'hello.txt', content: 'hello\n' } },
  ],
  command: [
    { name: 'shell__exec', arguments: { command: 'echo hello > hello.txt' } },
    { name: 'exec_command', arguments: { cmd: 'echo hello > hello.txt' } },
    { name: 'shell_command', arguments: { command: 'echo hello > hello.txt' } },
    { name: 'bash', arguments: { command: 'echo hello > hello.txt', description: 'Writes hello.txt' } },
  ],
} as const

serveScript(sayTo)

/** The prompt contains `bench: JOB COUNT`: this many calls of a tool, or an answer of this many characters. */
function sayTo(body: string): Say {
  const [, job = 'answer', count = '20'] = /bench: (\w+) (\d+)/.exec(body.slice(body.lastIndexOf('bench: '))) ?? []
  const made = resultCount(body)
  const text = sentence.repeat(Math.ceil(Number(count) / sentence.length)).slice(0, Number(count))
  if (job === 'answer' || made >= Number(count)) return { text: job === 'answer' ? text : 'Done.' }
  const offered = tools[job as keyof typeof tools].find(({ name }) => body.includes(`"name":"${name}"`))
  // A request without tools is for a title.
  return offered ? { call: offered.name, arguments: JSON.stringify(offered.arguments), id: `call_${made}` } : { text: 'A title' }
}
