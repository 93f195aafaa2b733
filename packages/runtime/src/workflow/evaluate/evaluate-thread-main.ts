// The thread that evaluates, one evaluation at a time. The realm of the next one is opened as soon as the last one was answered.
import { parentPort, workerData } from 'node:worker_threads'
import { resultOf } from './evaluate-expression.ts'
import type { Evaluation, ThreadMessage } from './evaluation.ts'
import { realms } from './realm.ts'
import { resourceUse } from './resource-use.ts'

const openRealm = realms(workerData as string)
const send = (message: ThreadMessage) => parentPort?.postMessage(message)

/** Compiles what every expression uses, so that the first one does not pay for it. */
const warmUp: Evaluation = {
  kind: 'expression',
  expression: '$join($map(list[n > 0], function($one) { $string($one.n * 2) & $uppercase(name) }), ",") & $sum(list.n)',
  input: '{"name":"a","list":[{"n":1},{"n":2}]}',
}
await resultOf(warmUp, openRealm(), () => undefined)

let realm = openRealm()
parentPort?.on('message', async (asked: Evaluation) => {
  send(await resultOf(asked, realm, () => send({ begun: resourceUse() })))
  realm = openRealm()
})
send('ready')
