// Two commands at once in a fresh clone must not install over each other.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './paths.js'
import { say } from './say.js'

const folder = join(root, '.cache')
const patience = 10 * 60_000

/** Runs `work` while no other process of this clone does. A lock whose owner is dead is taken over. */
export async function alone(work, file = join(folder, 'setup.lock')) {
  mkdirSync(folder, { recursive: true })
  const end = Date.now() + patience
  for (let told = false; !take(file); told = true) {
    if (!told) say('another command is setting up this clone; waiting for it')
    if (Date.now() > end) throw new Error(`waited ten minutes for another command; if there is none, delete ${file}`)
    await sleep(200)
  }
  try {
    work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** A link appears whole or not at all, and never over another. */
function take(file) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    removeDead(file)
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

/** By renaming: of two who see the same dead owner, one removes the lock and the other finds it gone. */
function removeDead(file) {
  const owner = ownerOf(file)
  if (owner === undefined || isAlive(owner)) return
  const removed = `${file}.${process.pid}.dead`
  try {
    renameSync(file, removed)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  // Taken anew between the look and the renaming: it belongs to someone who lives, and goes back.
  if (ownerOf(removed) !== owner) linkSync(removed, file)
  rmSync(removed, { force: true })
}

function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A lock in our own name was left by somebody else who had our number: containers give the same ones again. */
function isAlive(pid) {
  if (!(pid > 0) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
