const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Written by hand: published lists of free providers are full of disposable ones. */
export const freeDomains =
  set(`gmail.com googlemail.com outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp
  outlook.com.br hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.es hotmail.it hotmail.com.br hotmail.nl hotmail.be
  live.com live.co.uk live.fr live.de live.nl live.it live.be live.ca live.com.au live.com.mx msn.com yahoo.com yahoo.co.uk
  yahoo.fr yahoo.de yahoo.es yahoo.it yahoo.co.jp yahoo.co.in yahoo.in yahoo.ca yahoo.com.br yahoo.com.mx yahoo.com.ar
  yahoo.com.au yahoo.co.id yahoo.com.sg yahoo.com.hk yahoo.com.tw yahoo.com.ph yahoo.com.vn ymail.com rocketmail.com
  icloud.com me.com mac.com aol.com aol.co.uk aim.com proton.me protonmail.com protonmail.ch pm.me gmx.de gmx.net
  gmx.com gmx.at gmx.ch gmx.fr gmx.co.uk web.de t-online.de freenet.de arcor.de online.de email.de vodafone.de posteo.de
  mailbox.org mail.com email.com usa.com mail.ru bk.ru inbox.ru list.ru internet.ru yandex.ru yandex.com yandex.by yandex.kz
  yandex.ua ya.ru rambler.ru ukr.net i.ua meta.ua qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com
  139.com 189.cn aliyun.com 21cn.com tom.com naver.com daum.net hanmail.net nate.com kakao.com orange.fr wanadoo.fr
  free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr club-internet.fr libero.it virgilio.it tiscali.it alice.it
  tin.it tim.it fastwebnet.it inwind.it email.it terra.es telefonica.net ono.com uol.com.br bol.com.br terra.com.br
  ig.com.br globo.com globomail.com oi.com.br r7.com sapo.pt iol.pt wp.pl o2.pl onet.pl onet.eu op.pl interia.pl
  interia.eu gazeta.pl poczta.onet.pl tlen.pl vp.pl poczta.fm seznam.cz email.cz centrum.cz post.cz volny.cz azet.sk
  zoznam.sk centrum.sk abv.bg mail.bg freemail.hu citromail.hu indamail.hu yahoo.gr otenet.gr windowslive.com mynet.com
  bluewin.ch hispeed.ch sunrise.ch aon.at chello.at telenet.be skynet.be proximus.be ziggo.nl kpnmail.nl planet.nl
  home.nl xs4all.nl hetnet.nl casema.nl online.no telia.com spray.se bredband.net tele2.se comhem.se jubii.dk
  stofanet.dk luukku.com suomi24.fi kolumbus.fi eircom.net fastmail.com fastmail.fm hey.com tutanota.com tutanota.de
  tutamail.com tuta.io tuta.com keemail.me zoho.com zohomail.com zohomail.eu hushmail.com runbox.com disroot.org
  riseup.net mailfence.com rediffmail.com sify.com comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net
  charter.net earthlink.net optonline.net roadrunner.com juno.com netzero.net frontier.com windstream.net mail.de
  bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au westnet.com.au xtra.co.nz btinternet.com sky.com
  talktalk.net virginmedia.com ntlworld.com blueyonder.co.uk tiscali.co.uk rogers.com shaw.ca sympatico.ca telus.net
  videotron.ca mweb.co.za telkomsa.net docomo.ne.jp ezweb.ne.jp softbank.ne.jp i.softbank.jp au.com nifty.com
  ocn.ne.jp walla.com walla.co.il netvision.net.il duck.com lycos.com inbox.com inbox.lv mail.ee prodigy.net.mx`);

/** Services that forward mail to somebody who wants to keep an address private: not disposable, and no company. */
export const relayDomains =
  set(`privaterelay.appleid.com relay.firefox.com mozmail.com simplelogin.com simplelogin.co
  slmail.me aleeas.com addy.io anonaddy.com anonaddy.me passmail.net passinbox.com passmail.com duckduckgo.com`);

export const reservedDomains = set('example.com example.org example.net example.edu');
export const reservedSuffixes = set('test invalid localhost example local');

/** Addresses of a function. */
export const roleNames =
  set(`info contact sales support admin office hello mail team help service enquiries inquiries
  marketing billing accounts accounting hr jobs careers press media webmaster postmaster hostmaster abuse kontakt
  verkauf vertrieb bewerbung buchhaltung rechnung contacto ventas comercial administracion contato vendas atendimento
  commercial accueil compta direction bonjour informazioni amministrazione vendite biuro sekretariat reception booking
  bookings reservations orders shop customerservice customercare feedback newsletter`);

/** What people type to try a form. */
export const testWords =
  set(`test testing tester tests asdf asdfg asdfgh asd qwe qwerty qwertz abc abcd abc123 aaa aaaa xxx
  xxxx foo bar foobar none null undefined na nobody noname blah xyz sample demo dummy fake lorem`);
