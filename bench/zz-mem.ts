import { startBackend, startBare } from '/work/main/bench/ws-subjects.ts'
import { spawnSync } from 'node:child_process'
const rss = (pid: number) => Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())
const s = process.argv[2] === 'bare' ? await startBare() : await startBackend()
const open = async (n: number) => { const o = []; for (let i = 0; i < n; i += 50) o.push(...await Promise.all(Array.from({length: 50}, (_, k) => s.listen((i + k) % (n/5), () => {})))); return o }
for (let i = 0; i < 10; i++) { const w = await open(200); w.forEach(x => x.close()) }; await s.settle(); const a = rss(s.pid)
const t = performance.now(); await open(5000); console.log('open s', (performance.now()-t)/1000); await s.settle(); console.log((rss(s.pid) - a) / 5000, 'KiB')
await s.stop(); process.exit(0)
