// Becomes the given script, in this same process, once the parent process allows it: node gate.js SCRIPT ARGUMENT…
// If the parent is killed first, standard input ends without the message, and nothing is run.
import { pathToFileURL } from 'node:url'

let word = ''
for await (const text of process.stdin) word += text
if (word !== 'begin') process.exit(1)

process.argv.splice(1, 1)
await import(pathToFileURL(process.argv[1]).href)
