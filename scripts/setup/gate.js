// Becomes the script it is given, in this same process, once the process that started it says so: node gate.js SCRIPT ARGUMENT…
// If that process is killed first, the end of the standard input comes without the word, and nothing is run.
import { pathToFileURL } from 'node:url'

let word = ''
for await (const text of process.stdin) word += text
if (word !== 'begin') process.exit(1)

process.argv.splice(1, 1)
await import(pathToFileURL(process.argv[1]).href)
