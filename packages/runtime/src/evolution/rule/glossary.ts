// German in English, word by word: rough, but enough for an embedder that knows English only, and for comparing words across both languages.
// The entries are the frequent words of the language and of work with files, texts, programs and people, not those of particular demands. Pure.

/** An English word, and the beginnings of German words that mean it. Umlauts are written without dots, ß as ss. `=` before a  only this word. */
const entries = `
the:=der,=die,=das,=den,=dem,=des a:=ein,=eine,=einen,=einem,=einer,=eines and:=und,=sowie or:=oder
but:=aber,=jedoch,=sondern,=allerdings not:=nicht,=weder no:=kein,=keine,=keinen,=keinem,=keiner,=keines,=nein nothing:=nichts
never:=nie,=niemals,=nimmer without:=ohne,=ausser with:=mit,=samt in:=in,=im on:=auf at:=an,=am,=bei,=beim
to:=zu,=zum,=zur,=ins,=nach,=ans from:=von,=vom,=aus,=ab for:=fur,=furs,=dafur,=hierfur
about:=uber,=ubers,=daruber,=bezuglich,=betreffend under:=unter,=unterhalb before:=vor,=bevor,=vorher,=zuvor,=davor,=vorab,=ehe
after:=danach,=nachdem,=hinterher,=nachher,=anschliessend between:=zwischen through:=durch,=per,=mittels,=via against:=gegen,=dagegen
around:=um,=drumherum,=herum,=ringsum instead:=statt,=stattdessen,=anstatt,=anstelle because:=weil,=da,=denn,=wegen
if:=wenn,=falls,=sofern until:=bis while:=wahrend,=solange as:=als,=wie than:=gegenuber
that:=dass,=dies,=diese,=dieser,=dieses,=diesen,=diesem,=jene,=jener what:=was,=welche,=welcher,=welches,=welchen
where:=wo,=woher,=wohin,=worauf when:=wann who:=wer,=wem,=wen why:=warum,=weshalb,=wieso here:=hier,=hierher there:=dort,=dorthin
then:=dann thereby:=dabei,=damit,=dadurch also:=auch,=ebenfalls,=zusatzlich,=ausserdem,=zudem too:=zuviel still:=noch,=weiterhin
already:=schon,=bereits again:=wieder,=erneut,=nochmal,=nochmals only:=nur,=bloss,=lediglich,=ausschliesslich
always:=immer,=stets,=jedesmal,=grundsatzlich,=durchgehend,=durchgangig every:=jede,=jeder,=jedes,=jeden,=jedem each:=jeweils,=je,=pro
all:=alle,=aller,=allen,=allem,=samtliche,=samtlichen everything:=alles some:=einige,=manche,=mancher,=paar
something:=etwas,=irgendetwas,=irgendwas other:=andere,=anderer,=anderes,=anderen,=anderem,=sonstige
more:=mehr,=weitere,=weiteren,=weiterer less:=weniger few:=wenig,=wenige,=wenigen,=weniges many:=viel,=viele,=vielen,=vieler
most:=meist,=meisten,=meistens very:=sehr exactly:=genau,=exakt,=prazise just:=eben,=einfach,=gerade,=mal please:=bitte
really:=wirklich,=tatsachlich possible:=moglichst,moglich maximum:=hochstens,=maximal,=maximum,=hochstzahl,obergrenze
minimum:=mindestens,=minimal,=wenigstens,=zumindest first:=zuerst,=erst,=zunachst,=erste,=ersten,=erster,=erstes
last:=zuletzt,=letzte,=letzten,=letzter,=letztes next:=nachste,=nachsten,=nachster,=nachstes now:=jetzt,=nun,=derzeit,=momentan,=aktuell
later:=spater today:=heute tomorrow:=morgen yesterday:=gestern otherwise:=sonst,=andernfalls,=ansonsten
separately:=getrennt,=separat,=einzeln together:=zusammen,=gemeinsam directly:=direkt,=sofort,=gleich,=umgehend myself:=selbst,=selber
i:=ich me:=mir,=mich my:=mein,=meine,=meinen,=meinem,=meiner,=meines you:=du,=dich,=dir,=euch,=ihr
your:=dein,=deine,=deinen,=deinem,=deiner,=euer,=eure we:=wir us:=uns our:=unser,=unsere,=unseren,=unserem,=unserer he:=er she:=sie
it:=es,=ihn,=ihm them:=ihnen their:=ihre,=ihren,=ihrem,=ihrer mine:=meins is:=ist,=sei are:=sind,=seid was:=war,=waren
be:=sein,=bin,=bist have:=hat,=habe,=haben,=hast,=hatte,=hatten would:=wurde,=wurden will:=wird,=werden,=werde,=wirst
can:=kann,=kannst,=konnen,=konnt,=konnte should:=soll,=sollen,=sollst,=sollte,=sollten must:=muss,=mussen,=musst,=musste
may:=darf,=darfst,=durfen,=durfte want:=will,=willst,=wollen,=mochte,=mochten,=wunsch like:=gern,=gerne,=mag
prefer:=lieber,bevorzug,=besser need:=brauch,brauche,notig,benotig,erforder,notwend
do:=tu,=tun,=tue,=tust,=getan,erledig,ausfuhr,durchfuhr make:=mach,=mache,=machen,=machst,=gemacht,erstell,erzeug,anfertig
take:=nimm,=nehmen,=nehme,=genommen,ubernehm,ubernimm,ubernomm,=nimmt give:=gib,=geben,=gebe,=gegeben,=gibt,=gebt
get:=hol,=hole,=holen,=holst,=geholt,bekomm,erhalt,besorg
put:=leg,=lege,=legen,=gelegt,=stell,=gestellt,=setz,=setze,=setzen,=gesetzt
keep:behalt,beibehalt,bewahr,aufheb,=halt,=halte,=halten,=haltet stay:bleib,=bleibt,verbleib
leave:=lass,=lasse,=lassen,=lasst,belass,ubrig go:=geh,=gehe,=gehen,=geht,=lauft,=laufen
come:=komm,=kommt,=kommen,=stammt,=stammen,herkunft show:=zeig,=zeige,=zeigen,=gezeigt,anzeig,vorleg,vorzeig
see:=sieh,=seh,=sehen,=siehst,=gesehen,ansicht
look:=schau,=schauen,schaust,anschau,=guck,durchsicht,durchseh,drubergeschaut,druberschau,uberflieg
check:pruf,uberpruf,kontroll,nachpruf,verifizier,gegencheck read:=lies,=lesen,=liest,=gelesen,durchles,vorles,lekture
write:=schreib,=schreibe,=schreiben,=geschrieben,aufschreib,verfass,notier,formulier,schriftlich say:=sag,=sage,=sagen,=gesagt
tell:erzahl,mitteil,informier,=bescheid,benachrichtig talk:=rede,=reden,sprech,sprich,gesprach,unterhalt
answer:antwort,beantwort,ruckmeld,erwider ask:=frag,=frage,=fragen,=fragst,=gefragt,ruckfrag,nachfrag,anfrag,befrag,erkundig
question:=ruckfragen confirm:bestatig approve:genehmig,freigeb,freigabe,absegn,zustimm,erlaub,einverstand,erlaubnis decide:entscheid
explain:erklar,erlauter,begrund reason:=grund,=grunde,begrundung,ursache suggest:vorschlag,empfehl,=rat compare:vergleich,gegenuberstell
translate:ubersetz summarize:zusammenfass summary:zusammenfassung,uberblick,ubersicht,kurzfassung,fazit report:bericht,meldung
describe:beschreib list:=liste,=listen,auflist,aufzahl,stichpunkt count:=zahle,zahlst
number:zahlen,nummer,ziffer,anzahl,nummerier figure:kennzahl,=wert,=werte,zahlenwert calculate:berechn,ausrechn,rechne
sum:=summe,=summen,aufsummier sort:sortier,ordne,=ordnen search:=such,=suche,=suchen,=sucht,=gesucht,durchsuch,suchfeld
find:=find,=finde,=finden,=gefunden use:verwend,benutz,=nutz,=nutze,=nutzen,=nutzt,einsetz,gebrauch work:arbeit
change:ander,verander,umander,geander,abander,anpass,anderung,=anderungen edit:bearbeit,editier modify:modifizier
rebuild:umbau,umgebaut,umbauen,umstell refactor:refactor,refaktor tidy:aufraum,aufgeraum,ordnung
fix:korrigier,reparier,beheb,behob,=fix,richtigstell,ausbesser correct:korrekt,richtig,berichtig wrong:falsch,verkehrt error:fehler
bug:=bug,=bugs touch:anfass,anruhr,beruhr,angefasst,angeruhrt delete:losch,geloscht remove:entfern,beseitig,wegnehm
discard:verwerf,verworf,wegwerf move:verschieb,verschob,bewegen,=umzieh rename:umbenenn,umbenannt copy:kopie,kopier
save:speicher,gespeichert,sicher,abspeicher backup:backup,sicherung,datensicherung store:ableg,abgeleg,aufbewahr,lager,ablage
archive:archiv load:=lad,=lade,=laden,=geladen download:herunterlad,heruntergelad,runterlad,download upload:hochlad,hochgelad,upload
install:installier update:aktualisier,update publish:veroffentlich,herausgeb,rausgeb release:release,auslieferung,ausliefer
deploy:deploy,ausroll,einspiel start:=start,=starte,=starten,=gestartet,anfang,beginn,=begonn
stop:=stopp,=stoppe,anhalt,aufhor,beend,abbrech,abbruch wait:=wart,=warte,=warten,abwart open:offne,geoffnet,=offen,aufmach
close:schliess,geschloss run:=lauf test:=test,=tests,teste,testen,getestet,testlauf build:=bau,=baue,=bauen,=gebaut create:anleg,angeleg
add:=fug,=fuge,hinzufug,erganz,anhang,beifug,dazuschreib,=dazu,=hinzu,=trag,=trage,=eintrag
include:einschliess,beinhalt,enthalt,einbezieh insert:einfug replace:ersetz,austausch,tausch merge:zusammenfuhr,verein
split:aufteil,=teil,=teile,aufspalt,trenn send:=send,=sende,=senden,schick,versend,verschick,zuschick,abschick
mail:=mail,=mails,e-mail,email letter:=brief,=briefe,=briefen,anschreib message:nachricht draft:entwurf,entwurfe receive:empfang
share:teilen,weitergeb,weiterleit,anteil call:=ruf,=rufe,anruf,telefonier,telefonat help:hilf,hilfe,=helfen learn:=lern,=lerne,=lernen
know:=weiss,=wissen,=kenn,=kenne,=kennen,bekannt think:=denk,=denke,=denken,uberleg,nachdenk remember:merk,=erinner,=erinnere
forget:vergiss,vergess understand:versteh,verstand mean:bedeut,=heisst,=meint,gemeint believe:glaub guess:=rate,=raten,vermut,schatz
invent:erfind,erfund,ausdenk assume:annahm,annehm,voraussetz avoid:vermeid,verzicht spare:=spar,=spare,=sparen,erspar
allow:gestatt,zulass forbid:verbiet,verbot,untersag,tabu pay:bezahl buy:kauf sell:verkauf order:bestell,auftrag,reihenfolge
cost:kosten,=kostet price:=preis,=preise,=preisen amount:betrag,betrage money:=geld currency:wahrung euro:=euro,=euros tax:steuer
invoice:rechnung net:netto gross:brutto customer:=kunde,=kunden,=kundin,kundinnen member:mitglied colleague:kolleg person:person
people:=leute,=menschen,=leuten team:=team boss:=chef,=chefin,vorgesetz user:nutzer,benutzer,anwender patient:patient
name:=name,=namen,=nahmens,benenn address:adresse,anschrift company:firma,unternehmen language:=sprache,=sprachen,sprachlich,fremdsprach
german:deutsch,deutschland english:englisch french:franzosisch word:=wort,=worte,=worter,=wortern sentence:=satz,=satze,=satzen
paragraph:absatz,absatze line:=zeile,=zeilen page:=seite,=seiten text:=text,=texte,=texten title:=titel,uberschrift
heading:zwischenuberschrift chapter:kapitel document:dokument,unterlage,dokumentier table:=tabelle,=tabellen,tabellarisch
column:=spalte,=spalten row:=reihe,=reihen cell:=zelle,=zellen picture:=bild,=bilder,=bildern,abbildung,foto screenshot:bildschirmfoto
color:=farbe,=farben,farbig,einfarb font:=schrift,schriftart size:=grosse,=grossen file:datei folder:ordner,verzeichnis
path:=pfad,=pfade place:=stelle,=stellen,=ort,=orte,platz source:=quelle,=quellen,quellenangab reference:beleg,fundstelle,nachweis,verweis,referenz
proof:beweis cite:zitier,zitat,anfuhr quote:anfuhrungszeichen link:=link,=links,verlink claim:behaupt,aussage statement:feststell
fact:tatsache,=fakt,=fakten information:angabe,information,auskunft,=infos data:=daten,datensatz detail:detail,einzelheit
example:beispiel,=bsp result:ergebnis,resultat output:ausgabe input:eingabe code:=code,quelltext,quellcode,=fremdcode program:programm
script:skript function:funktion class:=klasse,=klassen variable:variable type:=typ,=typen,tipp comment:kommentar,kommentier
commit:commit,eincheck,eingecheckt uncommitted:uncommit repository:=repo,repository branch:=zweig,=zweige,branch
version:version,=fassung  push:push diff:=diff,=diffs library:bibliothek package:paket dependency:abhangig tool:werkzeug
command:befehl,kommando terminal:terminal,konsole server:server database:datenbank network:=netz,netzwerk internet:internet
online:online offline:offline connection:verbindung outside:aussen,=ausserhalb,=draussen inside:innen,innerhalb,=drinnen
machine:maschine,=rechner,=gerat,computer service:dienst website:webseite,website browser:browser
password:passwort,kennwort,zugangsdaten secret:geheim confidential:vertraulich private:privat,personlich anonymous:anonym license:lizenz
rights:=rechte,bildrecht permission:berechtig access:zugriff,zugang settings:einstellung production:produktion,produktiv
staging:=staging live:=live,wohn log:protokoll,=log,=logs,protokollier,mitschreib history:verlauf date:=datum,datumsangab
day:=tag,=tage,=tagen week:woche month:monat year:=jahr,=jahre,=jahren hour:stunde minute:minute second:sekunde
time:=zeit,=zeiten,uhrzeit,=uhr morning:morgens,vormittag evening:abend night:=nacht,nachts weekend:wochenend monday:montag
tuesday:dienstag wednesday:mittwoch thursday:donnerstag friday:freitag saturday:samstag sunday:sonntag deadline:=frist,=fristen
appointment:termin meeting:sitzung,besprechung,treffen calendar:kalender plan:=plan,=plane,planst,planung task:aufgabe step:schritt
project:projekt contract:vertrag form:=form,=formen,formular format:format,formatier unit:einheit metric:metrisch
decimal:dezimal,nachkomma comma:komma point:=punkt,=punkte percent:prozent round:=rund,=runde,=runden,gerundet kilogram:kilogramm,=kilo
kilometer:kilometer meter:=meter degree:=grad space:leerzeichen character:=zeichen,=buchstabe,=buchstaben quotation:anfuhrung
emoji:emoji,smiley bullet:aufzahlungspunkt short:=kurz,=kurze,=kurzen,=kurzer,=kurzes,kurzer,kurz brief:=knapp,=knappe,=knappen,=bundig
long:=lang,=lange,=langen,=langer,=langes,=langst detailed:ausfuhrlich,detailliert novel:=roman,=romane
small:=klein,=kleine,=kleinen,=kleiner,=kleines,kleinst large:=gross,=grosser,=grosses big:=riesig new:=neu,=neue,=neuen,=neuer,=neues
old:=alt,=alte,=alten,=alter,=altes good:=gut,=gute,=guten,=guter,=gutes bad:=schlecht,schlechte
simple:einfache,einfacher,verstandlich,=schlicht plain:=klartext technical:technisch,fachlich
jargon:fachbegriff,fachwort,fachsprache,fachchinesisch,jargon formal:formell,formlich,=siez,siezen informal:informell,=duz,duzen
polite:hoflich friendly:freundlich clear:=klar,deutlich,eindeutig complete:vollstandig,komplett,=ganz,=ganze,=ganzen
whole:gesamt,insgesamt same:=gleiche,=gleichen,=selbe,=dasselbe,=dieselbe different:anders,verschieden,unterschiedlich
important:wichtig,wesentlich,hauptsach essential:wichtigste,wichtigsten unnecessary:unnotig,uberflussig empty:=leer,=leere,=leeren
full:=voll,=volle free:=frei,=freie,kostenlos expensive:teuer cheap:billig,gunstig fast:schnell slow:langsam
careful:vorsicht,sorgfalt,behutsam,=achte,=aufpassen,=pass safe:=sichere,=sicheren,=sicher public:offentlich local:lokal,ortszeit
own:=eigen,=eigene,=eigenen,=eigener,=eigenes foreign:fremd available:verfugbar,vorhanden ready:=fertig,bereit
current:=aktuelle,=aktuellen,=heutige usual:ublich,gewohnt,immer automatic:automat manual:manuell,handisch
parallel:parallel,=nebenbei,gleichzeitig side:nebensach along:=nebenher unchanged:unverandert,unberuhrt,=unangetastet
thing:=sache,=sachen,=ding,=dinge way:=weise,=art,=wege problem:problem warning:warnung,=warn,=warne attention:achtung
difference:unterschied rest:=rest end:=ende,schluss top:=oben,=obere bottom:=unten,=untere right:=rechts one:=eins two:=zwei three:=drei
four:=vier five:=funf six:=sechs seven:=sieben eight:=acht nine:=neun ten:=zehn dry:probelauf,trockenlauf trash:papierkorb
mistake:irrtum,versehen future:kunftig,zukunft,zukunftig support:unterstutz rule:=regel,=regeln style:=stil tone:=ton,=tonfall
topic:thema subject:betreff signature:unterschrift greeting:=gruss,begrussung,anrede attachment:anlage recipient:empfanger
print:druck,ausdruck book:=buch,=bucher paper:=papier,aufsatz school:schule child:=kind,=kinder,=kindern house:=haus
room:=raum,=zimmer water:wasser food:=essen,lebensmittel weather:wetter health:gesundheit car:=auto train:=zug,=bahn
travel:=reise,=reisen video:video,film music:musik game:spiel none:=niemand,=niemanden,=niemandem someone:=jemand,=jemanden
of:=davon,=deren,=dessen into:=hinein,=rein,=herein out:=raus,=heraus,=hinaus off:=abseits onto:=drauf,=darauf by:=anhand,=seitens
near:=nahe,=nebenan beside:=neben,=daneben behind:=hinter,=dahinter above:=oberhalb,=darunter despite:=trotz,=trotzdem,=dennoch
since:=seit,=seitdem once:=sobald,=einmal twice:=zweimal so:=so,=also,=daher,=deshalb,=deswegen,=somit
maybe:=vielleicht,=eventuell,=gegebenenfalls approximately:=etwa,=ungefahr,=circa almost:=fast,=beinahe
enough:=genug,=genugt,=genugen,=reicht,=reichen,=ausreich even:=sogar,gerade especially:=besonders,=insbesondere,allem
usually:=normalerweise,=gewohnlich,=ublicherweise often:=oft,=haufig sometimes:=manchmal,=gelegentlich rarely:=selten soon:=bald
early:=fruh,=fruher late:=spat immediately:=unverzuglich finally:=schliesslich,=endlich back:=zuruck forward:=voran,=vorwarts away:=weg,=fort
up:=hoch,=hinauf,=herauf down:=runter,=herunter,=hinunter everywhere:=uberall nowhere:=nirgends,=nirgendwo somewhere:=irgendwo
anyway:=sowieso,=ohnehin respectively:=beziehungsweise both:=beide,=beiden,=beides several:=mehrere,=mehreren,=mehrerer
single:=einzige,=einzigen,=einziger,=einziges,=einzelne,=einzelnen,=einzelner half:=halb,=halbe,=halfte double:=doppelt,=doppelte
zero:=null hundred:=hundert thousand:=tausend lie:=liegt,=liegen,=lag stand:=steht,=stehen,=stand sit:=sitzt,=sitzen hang:=hangt,=hangen
belong:gehor happen:passier,gescheh become:=geworden seem:scheint appear:erschein,auftauch,vorkomm,auftret
miss:=fehlt,=fehlen,=fehlend,vermiss exist:existier,=gibts concern:betrifft depend:abhang matter:=egal apply:=gilt,=gelten,anwend
follow:=folg,=folge,=folgen,befolg,nachfolg respect:beacht,berucksichtig,respektier,einhalt ensure:sicherstell,gewahrleist,=sorg,=sorge
prevent:verhinder protect:=schutz,schutzen,geschutzt hide:versteck,verberg,ausblend mark:markier,kennzeichn highlight:hervorheb
underline:unterstreich draw:=zeichne,zeichnen,skizz design:gestalt,entwerf shorten:kurzen,gekurzt,verkurz extend:erweiter,verlanger
reduce:reduzier,verringer,verkleiner increase:erhoh,vergrosser,steiger improve:verbesser,optimier simplify:vereinfach
clean:bereinig,sauber,saubern,reinig,putz indent:einruck align:ausricht group:gruppier,=gruppe,=gruppen filter:filter
select:auswahl,=wahl,wahle,wahlen choose:aussuch enter:eingeb,eintrag click:klick turn:=dreh,schalt switch:umschalt,wechsel
activate:aktivier,einschalt deactivate:deaktivier,ausschalt,abschalt enable:ermoglich restart:neustart reset:zurucksetz
undo:ruckgangig,widerruf restore:wiederherstell repeat:wiederhol continue:fortsetz,fortfahr,weitermach,weiterfuhr
finish:fertigstell,abschliess interrupt:unterbrech cancel:stornier,absag postpone:aufschieb,=vertag schedule:terminier,einplan
remind:erinner record:aufnehm,aufnahm,aufzeichn,erfass measure:=mess,=messe,=messen,gemessen,messung weigh:=wieg,gewicht
compute:ermittel estimate:abschatz,=schatze evaluate:auswert,bewert,beurteil analyze:analys,untersuch
research:recherch,nachforsch,nachschlag,nachles investigate:aufarbeit,aufklar validate:validier monitor:uberwach,beobacht
convert:konvertier,umwandel,umrechn export:export import:import transfer:ubertrag,ubermittel,uberweis connect:verbind,anschliess
fetch:abhol,abruf query:abfrag submit:einreich,abgeb,abgabe deliver:=liefer,liefern,lieferung attach:anheft wrap:verpack
unpack:entpack,auspack compress:komprimier encrypt:verschlussel sign:unterschreib,unterschrieb,signier scan:=scan,scannen
photograph:fotografier,ablicht,knips listen:=hor,=hore,=horen,anhor speak:vortrag pronounce:aussprech discuss:besprech,diskutier
agree:vereinbar,absprach,absprech disagree:widersprech promise:versprech complain:beschwer thank:=dank,danke apologize:entschuldig
invite:einlad meet:=treff visit:besuch eat:=iss drink:trink,getrank cook:koch sleep:schlaf play:=spiel,=spiele,=spielen
teach:unterricht,lehr study:studier practice:=ub,=ube,=uben,ubung try:versuch,probier,ausprobier fail:scheiter,fehlschlag
succeed:gelingt,gelung,erfolg win:gewinn lose:verlier,verlor break:kaputt,zerbrech damage:schaden,beschadig hurt:verletz worry:=sorgen
care:kummer,pflege,pflegen prepare:vorbereit arrange:anordn,einricht organize:organisier manage:verwalt lead:leit,fuhr
supervise:beaufsicht,betreu assign:zuweis,zuordn,zuteil hands:=finger,ubergeb,uberreich,=hand,handschrift accept:akzeptier,hinnehm
reject:ablehn,zuruckweis refuse:weiger demand:verlang,forder expect:erwart hope:hoff wish:wunsch intend:vorhab,vorhast,=beabsichtig
surprise:uberrasch trust:vertrau rely:stutz,=verlass doubt:zweifel notice:bemerk,auffall recognize:erkenn distinguish:unterscheid
ignore:ignorier skip:uberspring,auslass,weglass mention:erwahn,nenn,=nenne,=nennen,=genannt state:angeb,angib,zustand credit:urheber
spell:buchstabier,schreibweis,rechtschreib punctuate:zeichensetz capital:grossbuchstab,grossschreib lowercase:kleinbuchstab,kleinschreib
abbreviation:abkurz synonym:synonym prose:fliesstext,prosa bold:fett,fettdruck italic:kursiv footnote:fussnote index:index,=verzeichnis
content:inhalt section:abschnitt edition:auflage template:vorlage,muster sample:=probe,stichprobe placeholder:platzhalter
default:standard,voreinstell option:option parameter:parameter argument:argument value:=werten key:schlussel array:=array object:objekt
string:zeichenkette module:modul component:komponente,bauteil interface:schnittstelle,oberflache layer:schicht architecture:architektur
system:system,=anlage environment:umgebung,testumgebung operating:betrieb hardware:hardware device:gerat
disk:festplatte,=platte,datentrager memory:speicherplatz,arbeitsspeicher screen:bildschirm keyboard:tastatur
button:knopf,schaltflache,=taste menu:=menu,menue window:fenster icon:=symbol,symbole cursor:cursor field:=feld,=felder account:konto
login:anmeld,=login,einlogg logout:abmeld role:=rolle,=rollen admin:administrator owner:eigentumer,besitz,inhaber author:autor,verfasser
editor:redakt reader:leser audience:publikum,zielgruppe layman:laie,laien expert:experte,fachmann,fachleut engineer:ingenieur
developer:entwickl programmer:programmier designer:gestalter teacher:lehrer student:student,schuler doctor:=arzt,=arzte,arztin
nurse:pfleger lawyer:anwalt client:=mandant,auftraggeb supplier:lieferant neighbor:nachbar friend:freund family:familie parent:eltern
mother:=mutter father:=vater man:=mann,=manner woman:=frau,=frauen baby:=baby guest:=gast,=gaste board:vorstand committee:ausschuss
department:abteilung office:buro authority:behorde,amt government:regierung law:=gesetz,=recht insurance:versicher bank:=bank
bill:abrechn receipt:quittung payment:zahlung reminder:mahnung discount:rabatt fee:gebuhr salary:gehalt,lohn budget:budget
revenue:umsatz expense:ausgaben offer:angebot market:=markt product:produkt goods:ware shop:laden,geschaft envelope:umschlag
stamp:briefmarke newspaper:zeitung article:artikel magazine:zeitschrift blog:blog post:beitrag news:nachrichten,neuigkeit press:presse
radio:radio,rundfunk broadcast:sendung recording:aufnahme sound:gerausch,klang voice:stimme song:=lied,=lieder dialect:dialekt
speech:rede conversation:unterhaltung phone:telefon,handy map:=karte,=karten,landkarte street:strasse city:=stadt,=stadte village:=dorf
country:=land,=lander region:region,gebiet world:=welt building:gebaude door:=tur,=turen floor:etage,stockwerk kitchen:kuche
garden:garten tree:=baum,=baume plant:pflanze flower:blume animal:=tier,=tiere bird:vogel dog:=hund,=hunde cat:=katze fish:=fisch
forest:=wald river:=fluss sea:=meer,=see mountain:=berg,=berge sun:=sonne rain:regen snow:schnee wind:=wind temperature:temperatur
heat:hitze,warme cold:=kalt,=kalte warm:=warm,=warme energy:energie electricity:=strom,elektri gas:=gas light:=licht,=hell dark:dunkel
black:schwarz white:=weisse red:=rot,=rote green:=grun,=grune blue:=blau,=blaue yellow:=gelb,=gelbe gray:=grau,=graue
colorful:=bunt,=bunte,=bunten high:=hohe,=hohen low:niedrig wide:=breit,=breite narrow:=schmal thick:=dick thin:=dunn deep:=tief
flat:=flach heavy:schwer easy:=leicht difficult:schwierig,=schwer hard:=hart soft:=weich strong:stark weak:schwach young:=jung
modern:modern quiet:leise,ruhig loud:laut beautiful:schon ugly:hasslich nice:nett serious:ernst,serios unprofessional:unserios
funny:lustig,witzig angry:wutend happy:glucklich sad:traurig tired:mude sick:krank healthy:gesund dangerous:gefahrlich
risk:risiko,gefahr urgent:dringend,eilig final:endgultig temporary:vorlaufig,vorubergehend,temporar permanent:dauerhaft
original:original duplicate:duplikat,doppelung real:=echt,=echte,=echten fake:gefalscht official:offiziell legal:rechtlich,legal
valid:gultig invalid:ungultig necessary:=zwingend sufficient:ausreichend optional:optional,freiwillig additional:zusatzlich,zusatz
extra:extra special:besonder,speziell general:allgemein typical:typisch common:gemeinsam rare:=seltene strange:seltsam,merkwurdig
similar:ahnlich opposite:gegenteil positive:positiv negative:negativ visible:sichtbar invisible:unsichtbar readable:lesbar
understandable:nachvollziehbar consistent:einheitlich,konsistent neat:ordentlich rough:=grob,=grobe fine:=fein,=okay uneven:ungerade
active:aktiv passive:passiv quality:qualitat quantity:menge width:breite speed:geschwindigkeit,tempo distance:entfernung,abstand
area:flache,bereich volume:volumen,lautstarke average:durchschnitt,mittelwert total:gesamtsumme chart:diagramm,grafik graph:=graph,kurve
statistic:statistik survey:umfrage experiment:experiment sensor:sensor measurement:messwert model:modell method:methode
process:prozess,vorgang,ablauf procedure:verfahren,vorgehen workflow:arbeitsablauf routine:routine habit:gewohnheit goal:=ziel,=ziele
purpose:zweck advantage:vorteil disadvantage:nachteil solution:losung idea:idee opinion:meinung view:sicht thought:gedanke
concept:konzept,begriff term:fachausdruck definition:definition meaning:bedeutung,=sinn context:zusammenhang,kontext
relation:bezug,beziehung condition:bedingung exception:ausnahme limit:grenze,begrenz,beschrank range:spanne level:ebene,stufe,=niveau
priority:prioritat,vorrang status:=status progress:fortschritt failure:ausfall incident:vorfall,storung alarm:alarm emergency:notfall
accident:unfall working:arbeitszeit universal:weltzeit clock:uhr noon:mittag midnight:mitternacht spring:fruhling summer:sommer
autumn:herbst winter:winter holiday:urlaub,feiertag,ferien birthday:geburtstag event:veranstalt,ereignis party:=fest,feier trip:ausflug
ticket:ticket,fahrkarte flight:=flug hotel:hotel luggage:gepack passport:reisepass foot:=fuss mile:meile,meilen inch:=zoll liter:liter
ton:=tonne british:britisch american:amerikanisch england:england europe:europa,europaisch
`

interface Gloss {
  readonly german: string
  readonly english: string
}

const exact = new Map<string, string>()
const beginnings: Gloss[] = []
for (const entry of entries.trim().split(/\s+/)) {
  const [english = '', words = ''] = entry.split(':')
  for (const word of words.split(',')) {
    if (!word.startsWith('=')) beginnings.push({ german: word, english })
    else if (!exact.has(word.slice(1))) exact.set(word.slice(1), english)
  }
}
// The longest beginning wins.
beginnings.sort((left, right) => right.german.length - left.german.length)

function folded(word: string): string {
  return word.toLowerCase().replaceAll('ä', 'a').replaceAll('ö', 'o').replaceAll('ü', 'u').replaceAll('ß', 'ss')
}

const separable =
  /^(ab|an|auf|aus|bei|durch|ein|fest|heraus|her|herunter|hin|hinzu|hoch|mit|nach|raus|runter|um|vor|weg|zu|zuruck|zusammen|uber|unter)(?:ge|zu)(?=\p{L}{3})/u

/** The English word for a German one; null if it is not known. */
export function glossOf(word: string): string | null {
  // "Ändere" and "andere" are the same without the dots.
  if (/^(?:ver|um|ab|ge)?änder/iu.test(word)) return 'change'
  const plain = folded(word)
  for (const form of new Set([plain, plain.replace(separable, '$1'), plain.replace(/^ge(?=\p{L}{4})/u, '')])) {
    const found =
      exact.get(form) ??
      exact.get(form.replace(/(?<=\p{L}{3})(?:est|st|te|en|et|t|e|n|es|s)$/u, '')) ??
      (form.length >= 4 ? beginnings.find(({ german }) => form.startsWith(german))?.english : undefined)
    if (found !== undefined) return found
  }
  return plain.length >= 8 ? compoundOf(plain) : null
}

/** German joins words: the last one says what it is, the first one which. */
function compoundOf(word: string): string | null {
  for (let at = 4; at <= word.length - 4; at += 1) {
    const last = wholeWord(word.slice(at))
    const first = last === null ? null : wholeWord(word.slice(0, at).replace(/s$/, ''))
    if (last !== null && first !== null) return `${first} ${last}`
  }
  return null
}

function wholeWord(part: string): string | null {
  const plain = part.replace(/(?:en|er|es|n|s|e)$/u, '')
  return (
    exact.get(part) ?? exact.get(plain) ?? beginnings.find(({ german }) => german.length >= 4 && part.startsWith(german))?.english ?? null
  )
}

/** Words that only one of both languages has, and that most sentences of it have. */
const german: ReadonlySet<string> = new Set(
  'der die das den dem des ein eine einen einem einer und oder aber nicht kein keine keinen ist sind war wird werden hat habe haben mit von vom zu zum zur auf aus bei beim nach fur uber unter ohne im ins am als wie wenn dass nur noch auch schon mal bitte ich du er wir ihr mich mir dich dir uns mein dein kann soll muss darf will mach schreib gib nimm lass dabei dann hier alles nichts jede jeder jedes immer nie statt erst vorher selbst'.split(
    ' ',
  ),
)
const english: ReadonlySet<string> = new Set(
  'the a an and or but not no is are was be have has had with of from to on at for about as if that this these it i you he she we they me my your our us them can should must may will would do does did only also please then here all every each never always without into by when what where which how who any some so before after until its his her their'.split(
    ' ',
  ),
)

/** Whether a sentence is German; by its frequent words, and by letters that English does not have. */
export function isGerman(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  let score = /[äöüß]/i.test(text) ? 1 : 0
  for (const word of words) {
    const plain = folded(word)
    if (german.has(plain)) score += 1
    if (english.has(word)) score -= 1
    // The same word in both languages says nothing.
    if (score === 0 && ![null, word].includes(glossOf(word))) score += 0.1
  }
  return score > 0
}

/** Names of programs, folders and files are in no dictionary: short, in small letters or with signs, and without what only German words have. */
const isName = /[\d_./\\@#-]|^\p{Lu}{2,}$|^[a-z]{1,4}$/u
const looksGerman = /[äöüß]|(?:en|est|st|te|ung|ig|lich|isch|heit|keit|em|es|er|t|e)$/iu

/** A German sentence in English words, in its own order; every other sentence as it is. German words that are not known say nothing. */
export function inEnglish(text: string): string {
  if (!isGerman(text)) return text
  const words = text.replace(/[\p{L}\p{N}][\p{L}\p{N}_./\\@#-]*[\p{L}\p{N}/]|[\p{L}\p{N}]/gu, (word) => {
    const gloss = /[\d_./\\@#]/.test(word) ? null : glossOf(word)
    if (gloss !== null) return gloss
    return isName.test(word) || !looksGerman.test(word) ? word : ''
  })
  return words.replace(/\s+(?=[\s.,!?])/g, '').trim()
}
