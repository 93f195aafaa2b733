// Run by the pinned Node: node bundle-test-program.js PROGRAM FOLDER. Bundles a program that a test starts many times, as `tandem` is.
import { bundle } from './program-bundle.js'

const [program, folder] = process.argv.slice(2)
await bundle(program, folder)
