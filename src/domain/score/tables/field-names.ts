import type { FieldKind } from '../settings/field-kinds.ts';

/** Keys as people name them in many languages, without case, accents, digits and separators. */
const spellings: Partial<Record<FieldKind, string>> = {
  email: `email mail emailaddress emailadress workemail businessemail youremail useremail contactemail customeremail
    fromemail replyto mailaddress courriel adressemail adresseemail adresseelectronique correo correoelectronico
    direccioncorreo eposta epostadresi epost epostadress emailadresse mailadresse posta postaelettronica
    indirizzoemail emaill adreseemail adresemail sahkoposti emailcim пошта почта электроннаяпочта емаил имейл емеил
    邮箱 邮件 电子邮件 电子邮箱 電子郵件 信箱 メール メールアドレス 이메일 이메일주소 البريد البريدالالكتروني ايميل אימייל דואל อีเมล ईमेल`,
  name: `name fullname yourname contactname customername username leadname personname realname displayname nom
    nomcomplet nomprenom nometprenom nombre nombrecompleto nombreyapellidos nome nomecompleto nomecognome
    nomeecognome naam volledigenaam ihrname namevorname vorundnachname vornamenachname ansprechpartner imie
    imieinazwisko nazwisko jmeno jmenoaprijmeni isim adsoyad adsoyadiniz namn navn nimi numecomplet nume nev фио имя
    вашеимя имяифамилия полноеимя імя 姓名 名字 名前 お名前 氏名 이름 성함 성명 الاسم الاسمالكامل שם שםמלא ชื่อ नाम`,
  first_name: `firstname fname givenname forename first vorname prenom primernombre nombres primeironome voornaam
    imiona ad adiniz etunimi fornavn fornamn keresztnev krestnijmeno 名 이름명 الاسمالاول שםפרטי`,
  last_name: `lastname lname surname familyname last nachname familienname nomdefamille apellido apellidos sobrenome
    cognome achternaam prijmeni soyad soyadi soyadiniz sukunimi etternavn efternavn efternamn vezeteknev фамилия
    прізвище 姓 苗字 성 اسمالعائلة שםמשפחה`,
  company: `company companyname organisation organization organisationname organizationname org business
    businessname employer account accountname firm firma firmenname unternehmen unternehmensname entreprise societe
    nomentreprise nomdelentreprise empresa nombreempresa nombredelaempresa nomedaempresa azienda ragionesociale
    bedrijf bedrijfsnaam sirket sirketadi nazwafirmy spolecnost foretag foretagsnamn virksomhed bedrift yritys cegnev
    компания организация названиекомпании 公司 公司名称 企业 单位 会社 会社名 御社名 회사 회사명 الشركة اسمالشركة חברה`,
  phone: `phone phonenumber phoneno tel telno telephone telephonenumber mobile mobilephone mobilenumber mobileno cell
    cellphone workphone homephone contactnumber whatsapp whatsappnumber telefon telefonnummer rufnummer handy
    handynummer mobil mobilnummer numerodetelephone portable telefono celular movil numerodetelefono telefone
    cellulare telefoonnummer telefoon numertelefonu telefonszam puhelin cislo cep ceptelefonu телефон
    номертелефона мобильный 电话 手机 手机号 手机号码 联系电话 電話 電話番号 携帯 전화 전화번호 연락처 الهاتف رقمالهاتف الجوال טלפון`,
  title: `title jobtitle role jobrole position jobposition function seniority designation occupation berufsbezeichnung
    stelle funktion poste fonction cargo puesto ruolo qualifica functie stanowisko unvan должность 职位 职务 役職 직책 직위`,
  message: `message msg messages yourmessage comment comments yourcomment body text textarea content description details
    inquiry enquiry question questions query request note notes feedback howcanwehelp howcanwehelpyou moreinfo
    additionalinfo additionalinformation projectdetails requirements nachricht ihrenachricht anfrage mitteilung
    kommentar bemerkung bemerkungen anliegen commentaire commentaires votremessage demande mensaje comentario
    comentarios consulta mensagem messaggio richiesta commento bericht opmerking opmerkingen bericht wiadomosc tresc
    zprava poznamka mesaj mesajiniz meddelande melding besked viesti uzenet сообщение комментарий текст вопрос
    повідомлення 留言 消息 信息 内容 备注 咨询内容 メッセージ お問い合わせ お問い合わせ内容 ご質問 메시지 내용 문의 문의내용 الرسالة رسالة رسالتك הודעה`,
  subject: `subject topic reason betreff thema sujet objet asunto assunto oggetto onderwerp temat predmet konu emne amne
    тема 主题 主旨 件名 제목 الموضوع נושא`,
  website: `website url web site homepage webpage companywebsite websiteurl siteurl domain webseite internetseite siteweb
    sitioweb paginaweb sito sitoweb link linkedin linkedinurl linkedinprofile profile profileurl portfolio сайт 网站 网址 ウェブサイト 웹사이트`,
  country: `country countrycode countryname nation land pays pais paese nazione kraj zeme ulke maa orszag страна країна 国家 国 국가 البلد`,
  address: `address street streetaddress city town zip zipcode postcode postalcode postal state region province adresse
    strasse stadt ort plz postleitzahl rue ville codepostal direccion ciudad codigopostal endereco cidade cep indirizzo
    citta adres stad miasto ulica kodpocztowy адрес город 地址 城市 住所 주소`,
  utm_medium: 'utmmedium medium',
  attribution:
    'source leadsource campaign campaignid campaignname channel adgroup adid keyword formname formid pageid',
  click_id: 'gclid gbraid wbraid msclkid fbclid lifatid ttclid twclid dclid',
  referrer: `referrer referer refererurl referrerurl pageurl page landingpage landingurl landing sourceurl pageuri currenturl
    entrypage pagetitle referringurl`,
  user_agent: 'useragent ua browser agent',
  network_address: `ip ipaddress ipaddr ipv clientip userip visitorip senderip submitterip remoteip remoteaddr remoteaddress
    sourceip ipadresse adresseip direccionip ipadres`,
  consent: `consent gdpr gdprconsent terms termsandconditions agree agreement accept acceptance privacy privacypolicy
    optin newsletter marketingconsent legal disclaimer datenschutz einwilligung rgpd`,
};

export const kindBySpelling: ReadonlyMap<string, FieldKind> = new Map(
  (Object.entries(spellings) as [FieldKind, string][]).flatMap(([kind, words]) =>
    words.split(/\s+/).map((word): [string, FieldKind] => [word.normalize('NFKD'), kind]),
  ),
);

/** What a longer key contains, the most telling first. */
export const kindByStem: readonly (readonly [string, FieldKind])[] = [
  ['consent', 'consent'],
  ['privacy', 'consent'],
  ['datenschutz', 'consent'],
  ['gdpr', 'consent'],
  ['useragent', 'user_agent'],
  ['ipaddress', 'network_address'],
  ['referrer', 'referrer'],
  ['referer', 'referrer'],
  ['landingpage', 'referrer'],
  ['pageurl', 'referrer'],
  ['email', 'email'],
  ['courriel', 'email'],
  ['phone', 'phone'],
  ['telefon', 'phone'],
  ['mobile', 'phone'],
  ['whatsapp', 'phone'],
  ['firstname', 'first_name'],
  ['vorname', 'first_name'],
  ['prenom', 'first_name'],
  ['lastname', 'last_name'],
  ['surname', 'last_name'],
  ['nachname', 'last_name'],
  ['apellido', 'last_name'],
  ['fullname', 'name'],
  ['yourname', 'name'],
  ['contactname', 'name'],
  ['company', 'company'],
  ['organisation', 'company'],
  ['organization', 'company'],
  ['unternehmen', 'company'],
  ['entreprise', 'company'],
  ['empresa', 'company'],
  ['jobtitle', 'title'],
  ['website', 'website'],
  ['message', 'message'],
  ['comment', 'message'],
  ['nachricht', 'message'],
  ['mensaje', 'message'],
  ['inquiry', 'message'],
  ['enquiry', 'message'],
  ['question', 'message'],
  ['country', 'country'],
  ['campaign', 'attribution'],
];
