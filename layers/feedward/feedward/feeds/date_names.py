"""The names of months and weekdays in the languages of feed dates: short and long, in all their forms.

A row is a language, its months from January, its weekdays from Monday, and `/` between the forms of a name. Marks and
accents are ignored (date_words.py). If a name means two months, the first language wins. Names with a number or of two
words are in date_in_words.py.
"""

from __future__ import annotations

from collections.abc import Iterator

NO_NAME = "-"
_TABLE = """
en jan/january feb/february mar/march apr/april may jun/june jul/july aug/august sep/september oct/october
  nov/november dec/december mon/monday tue/tuesday wed/wednesday thu/thursday fri/friday sat/saturday sun/sunday
es ene/enero feb/febrero mar/marzo abr/abril may/mayo jun/junio jul/julio ago/agosto sept/septiembre oct/octubre
  nov/noviembre dic/diciembre lun/lunes mar/martes mié/miércoles jue/jueves vie/viernes sáb/sábado dom/domingo
fr janv/janvier févr/février/fév mars avr/avril mai juin juil/juillet/juill août sept/septembre oct/octobre
  nov/novembre déc/décembre lun/lundi mar/mardi mer/mercredi jeu/jeudi ven/vendredi sam/samedi dim/dimanche
pt jan/janeiro fev/fevereiro mar/março abr/abril mai/maio jun/junho jul/julho ago/agosto set/setembro out/outubro
  nov/novembro dez/dezembro seg/segunda-feira/segunda ter/terça-feira/terça qua/quarta-feira/quarta
  qui/quinta-feira/quinta sex/sexta-feira/sexta sáb/sábado dom/domingo
ru янв/января/январь февр/февраля/февраль/фев мар/март/марта апр/апреля/апрель мая/май июн/июнь/июня июл/июль/июля
  авг/августа/август сент/сентября/сентябрь/сен окт/октября/октябрь нояб/ноября/ноябрь/ноя дек/декабря/декабрь
  пн/понедельник вт/вторник ср/среда чт/четверг пт/пятница сб/суббота вс/воскресенье
de jan/januar/jän/jänner feb/februar/feber märz/mär apr/april mai juni/jun juli/jul aug/august sept/sep/september
  okt/oktober nov/november dez/dezember mo/montag di/dienstag mi/mittwoch do/donnerstag fr/freitag
  sa/samstag/sonnabend so/sonntag
it gen/gennaio feb/febbraio mar/marzo apr/aprile mag/maggio giu/giugno lug/luglio ago/agosto set/settembre ott/ottobre
  nov/novembre dic/dicembre lun/lunedì mar/martedì mer/mercoledì gio/giovedì ven/venerdì sab/sabato dom/domenica
pl sty/stycznia/styczeń lut/lutego/luty mar/marca/marzec kwi/kwietnia/kwiecień maj/maja cze/czerwca/czerwiec
  lip/lipca/lipiec sie/sierpnia/sierpień wrz/września/wrzesień paź/października/październik lis/listopada/listopad
  gru/grudnia/grudzień pon/poniedziałek wt/wtorek śr/środa czw/czwartek pt/piątek sob/sobota niedz/niedziela
nl jan/januari feb/februari mrt/maart apr/april mei jun/juni jul/juli aug/augustus sep/september okt/oktober
  nov/november dec/december ma/maandag di/dinsdag wo/woensdag do/donderdag vr/vrijdag za/zaterdag zo/zondag
tr oca/ocak şub/şubat mar/mart nis/nisan may/mayıs haz/haziran tem/temmuz ağu/ağustos eyl/eylül eki/ekim kas/kasım
  ara/aralık pzt/pazartesi sal/salı çar/çarşamba per/perşembe cum/cuma cmt/cumartesi paz/pazar
id jan/januari feb/februari mar/maret apr/april mei jun/juni jul/juli agu/agustus sep/september okt/oktober
  nov/november des/desember sen/senin sel/selasa rab/rabu kam/kamis jum/jumat sab/sabtu min/minggu
uk січ/січня/січень лют/лютого/лютий бер/березня/березень квіт/квітня/квітень трав/травня/травень черв/червня/червень
  лип/липня/липень серп/серпня/серпень вер/вересня/вересень жовт/жовтня/жовтень лист/листопада/листопад
  груд/грудня/грудень пн/понеділок вт/вівторок ср/середа чт/четвер пт/пятниця сб/субота нд/неділя
ro ian/ianuarie feb/februarie mar/martie apr/aprilie mai iun/iunie iul/iulie aug/august sept/septembrie oct/octombrie
  nov/noiembrie dec/decembrie lun/luni mar/marți mie/miercuri joi vin/vineri sâm/sâmbătă dum/duminică
cs led/ledna/leden úno/února/únor bře/března/březen dub/dubna/duben kvě/května/květen čvn/června/červen
  čvc/července/červenec srp/srpna/srpen zář/září říj/října/říjen lis/listopadu/listopad pro/prosince/prosinec
  po/pondělí út/úterý st/středa čt/čtvrtek pá/pátek so/sobota ne/neděle
hu jan/január febr/február márc/március ápr/április máj/május jún/június júl/július aug/augusztus szept/szeptember
  okt/október nov/november dec/december h/hétfő k/kedd sze/szerda cs/csütörtök p/péntek szo/szombat v/vasárnap
sv jan/januari feb/februari mars apr/april maj juni juli aug/augusti sep/september okt/oktober nov/november
  dec/december mån/måndag tis/tisdag ons/onsdag tors/torsdag/tor fre/fredag lör/lördag sön/söndag
el ιαν/ιανουαρίου/ιανουάριος φεβ/φεβρουαρίου/φεβρουάριος μαρ/μαρτίου/μάρτιος/μαώ απρ/απριλίου/απρίλιος μαΐ/μαΐου/μάιος
  ιουν/ιουνίου/ιούνιος/ιον ιουλ/ιουλίου/ιούλιος/ιολ αυγ/αυγούστου/αύγουστος σεπ/σεπτεμβρίου/σεπτέμβριος
  οκτ/οκτωβρίου/οκτώβριος νοε/νοεμβρίου/νοέμβριος δεκ/δεκεμβρίου/δεκέμβριος δευ/δευτέρα τρί/τρίτη τετ/τετάρτη
  πέμ/πέμπτη παρ/παρασκευή σάβ/σάββατο κυρ/κυριακή
ca gen/gener febr/febrer març abr/abril maig juny jul/juliol ag/agost set/setembre oct/octubre nov/novembre
  des/desembre dl/dilluns dt/dimarts dc/dimecres dj/dijous dv/divendres ds/dissabte dg/diumenge
da jan/januar feb/februar mar/marts apr/april maj jun/juni jul/juli aug/august sep/september okt/oktober nov/november
  dec/december man/mandag tirs/tirsdag/tir ons/onsdag tors/torsdag/tor fre/fredag lør/lørdag søn/søndag
nb jan/januar feb/februar mars/mar apr/april mai juni/jun juli/jul aug/august sep/september okt/oktober nov/november
  des/desember man/mandag tir/tirsdag ons/onsdag tor/torsdag fre/fredag lør/lørdag søn/søndag
fi tammi/tammikuuta/tammikuu helmi/helmikuuta/helmikuu maalis/maaliskuuta/maaliskuu huhti/huhtikuuta/huhtikuu
  touko/toukokuuta/toukokuu kesä/kesäkuuta/kesäkuu heinä/heinäkuuta/heinäkuu elo/elokuuta/elokuu
  syys/syyskuuta/syyskuu loka/lokakuuta/lokakuu marras/marraskuuta/marraskuu joulu/joulukuuta/joulukuu
  ma/maanantaina/maanantai ti/tiistaina/tiistai ke/keskiviikkona/keskiviikko to/torstaina/torstai
  pe/perjantaina/perjantai la/lauantaina/lauantai su/sunnuntaina/sunnuntai
sk jan/januára/január feb/februára/február mar/marca/marec apr/apríla/apríl máj/mája jún/júna júl/júla
  aug/augusta/august sep/septembra/september okt/októbra/október nov/novembra/november dec/decembra/december
  po/pondelok ut/utorok st/streda št/štvrtok pi/piatok so/sobota ne/nedeľa
bg яну/януари фев/февруари март апр/април май юни юли авг/август сеп/септември окт/октомври ное/ноември дек/декември
  пн/понеделник вт/вторник ср/сряда чт/четвъртък пт/петък сб/събота нд/неделя
sl jan/januar feb/februar mar/marec apr/april maj jun/junij jul/julij avg/avgust sep/september okt/oktober
  nov/november dec/december pon/ponedeljek tor/torek sre/sreda čet/četrtek pet/petek sob/sobota ned/nedelja
lt saus/sausio/sausis vas/vasario/vasaris kov/kovo/kovas bal/balandžio/balandis geg/gegužės/gegužė
  birž/birželio/birželis liep/liepos/liepa rugp/rugpjūčio/rugpjūtis rugs/rugsėjo/rugsėjis spal/spalio/spalis
  lapkr/lapkričio/lapkritis gruod/gruodžio/gruodis pr/pirmadienis an/antradienis tr/trečiadienis kt/ketvirtadienis
  pn/penktadienis št/šeštadienis sk/sekmadienis
sr јан/јануар феб/фебруар мар/март апр/април мај јун јул авг/август сеп/септембар окт/октобар нов/новембар
  дец/децембар пон/понедељак уто/уторак сре/среда чет/четвртак пет/петак суб/субота нед/недеља
et jaan/jaanuar veebr/veebruar märts apr/aprill mai juuni juuli aug/august sept/september okt/oktoober nov/november
  dets/detsember esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev
lv janv/janvāris febr/februāris marts apr/aprīlis maijs jūn/jūnijs jūl/jūlijs aug/augusts sept/septembris
  okt/oktobris nov/novembris dec/decembris pirmd/pirmdiena otrd/otrdiena trešd/trešdiena ceturtd/ceturtdiena
  piektd/piektdiena sestd/sestdiena svētd/svētdiena
is jan/janúar feb/febrúar mar/mars apr/apríl maí jún/júní júl/júlí ágú/ágúst sep/september okt/október nóv/nóvember
  des/desember mán/mánudagur þri/þriðjudagur mið/miðvikudagur fim/fimmtudagur fös/föstudagur lau/laugardagur
  sun/sunnudagur
mk јан/јануари фев/февруари мар/март апр/април мај јун/јуни јул/јули авг/август сеп/септември окт/октомври
  ноем/ноември дек/декември пон/понеделник вто/вторник сре/среда чет/четврток пет/петок саб/сабота нед/недела
az yan/yanvar fev/fevral mart apr/aprel may iyun iyul avq/avqust sentyabr okt/oktyabr noy/noyabr dek/dekabr
  - - - - - - -
ar يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر الاثنين الثلاثاء الأربعاء الخميس الجمعة
  السبت الأحد
fa ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر دوشنبه سهشنبه چهارشنبه پنجشنبه جمعه شنبه
  یکشنبه
ur جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر پیر منگل بدھ جمعرات جمعہ ہفتہ اتوار
hi जन/जनवरी फ़र/फ़रवरी मार्च अप्रैल मई जून जुल/जुलाई अग/अगस्त सित/सितंबर अक्टू/अक्टूबर नव/नवंबर दिस/दिसंबर सोम/सोमवार
  मंगल/मंगलवार बुध/बुधवार गुरु/गुरुवार शुक्र/शुक्रवार शनि/शनिवार रवि/रविवार
mr जाने/जानेवारी फेब्रु/फेब्रुवारी मार्च एप्रि/एप्रिल मे जून जुलै ऑग/ऑगस्ट सप्टें/सप्टेंबर ऑक्टो/ऑक्टोबर
  नोव्हें/नोव्हेंबर डिसें/डिसेंबर सोम/सोमवार मंगळ/मंगळवार बुध/बुधवार गुरु/गुरुवार शुक्र/शुक्रवार शनि/शनिवार रवि/रविवार
bn জানু/জানুয়ারি ফেব/ফেব্রুয়ারি মার্চ এপ্রি/এপ্রিল মে জুন জুল/জুলাই আগ/আগস্ট সেপ/সেপ্ট/সেপ্টেম্বর অক্টো/অক্টোবর
  নভে/নভেম্বর ডিসে/ডিসেম্বর সোম/সোমবার মঙ্গল/মঙ্গলবার বুধ/বুধবার বৃহস্পতি/বৃহস্পতিবার শুক্র/শুক্রবার শনি/শনিবার
  রবি/রবিবার
ta ஜன/ஜனவரி பிப்/பிப்ரவரி மார்/மார்ச் ஏப்/ஏப்ரல் மே ஜூன் ஜூலை ஆக/ஆகஸ்ட் செப்/செப்டம்பர் அக்/அக்டோபர் நவ/நவம்பர்
  டிச/டிசம்பர் திங்/திங்கள் செவ்/செவ்வாய் புத/புதன் வியா/வியாழன் வெள்/வெள்ளி சனி ஞாயி/ஞாயிறு
te జన/జనవరి ఫిబ్ర/ఫిబ్రవరి మార్చి ఏప్రి/ఏప్రిల్ మే జూన్ జులై ఆగ/ఆగస్టు సెప్టెం/సెప్టెంబర్ అక్టో/అక్టోబర్ నవం/నవంబర్
  డిసెం/డిసెంబర్ సోమ/సోమవారం మంగళ/మంగళవారం బుధ/బుధవారం గురు/గురువారం శుక్ర/శుక్రవారం శని/శనివారం ఆది/ఆదివారం
th มค/มกราคม กพ/กุมภาพันธ์ มีค/มีนาคม เมย/เมษายน พค/พฤษภาคม มิย/มิถุนายน กค/กรกฎาคม สค/สิงหาคม กย/กันยายน ตค/ตุลาคม
  พย/พฤศจิกายน ธค/ธันวาคม จันทร์/วันจันทร์ อังคาร/วันอังคาร พุธ/วันพุธ พฤหัส/วันพฤหัสบดี ศุกร์/วันศุกร์ เสาร์/วันเสาร์
  อาทิตย์/วันอาทิตย์
he ינו/ינואר פבר/פברואר מרץ אפר/אפריל מאי יוני יולי אוג/אוגוסט ספט/ספטמבר אוק/אוקטובר נוב/נובמבר דצמ/דצמבר - - - - -
  שבת -
gl xan/xaneiro feb/febreiro mar/marzo abr/abril maio xuño xul/xullo ago/agosto set/setembro out/outubro nov/novembro
  dec/decembro luns mar/martes mér/mércores xov/xoves ven/venres sáb/sábado dom/domingo
ms jan/januari feb/februari mac apr/april mei jun jul/julai ogo/ogos sep/september okt/oktober nov/november
  dis/disember isn/isnin sel/selasa rab/rabu kha/khamis jum/jumaat sab/sabtu ahd/ahad
fil ene/enero peb/pebrero mar/marso abr/abril may/mayo hun/hunyo hul/hulyo ago/agosto set/setyembre okt/oktubre
  nob/nobyembre dis/disyembre lun/lunes mar/martes miy/miyerkules huw/huwebes biy/biyernes sab/sabado lin/linggo
hr sij/siječnja/siječanj velj/veljače/veljača ožu/ožujka/ožujak tra/travnja/travanj svi/svibnja/svibanj
  lip/lipnja/lipanj srp/srpnja/srpanj kol/kolovoza/kolovoz ruj/rujna/rujan lis/listopada/listopad
  stu/studenoga/studeni pro/prosinca/prosinac pon/ponedjeljak uto/utorak sri/srijeda čet/četvrtak pet/petak sub/subota
  ned/nedjelja
cy ion/ionawr chwef/chwefror maw/mawrth ebr/ebrill mai meh/mehefin gorff/gorffennaf/gor awst medi hyd/hydref
  tach/tachwedd rhag/rhagfyr llun maw/mawrth mercher/mer iau gwener/gwe/gwen sadwrn/sad sul
ga ean/eanáir feabh/feabhra márta aib/aibreán beal/bealtaine meith/meitheamh iúil lúnasa mfómh dfómh samh/samhain
  noll/nollaig luan máirt céad/céadaoin déar/déardaoin aoine sath/satharn domh/domhnach
eu urt/urtarrila/urtarrilaren/urtarrilak ots/otsaila/otsailaren/otsailak martxoa/martxoaren/martxoak/mar
  api/apirila/apirilaren/apirilak mai/maiatza/maiatzaren/maiatzak eka/ekaina/ekainaren/ekainak
  uzt/uztaila/uztailaren/uztailak abu/abuztua/abuztuaren/abuztuak ira/iraila/irailaren/irailak
  urr/urria/urriaren/urriak aza/azaroa/azaroaren/azaroak abe/abendua/abenduaren/abenduak al/astelehena ar/asteartea
  az/asteazkena og/osteguna or/ostirala lr/larunbata ig/igandea
ar-ma يناير فبراير مارس أبريل ماي يونيو يوليوز غشت شتنبر أكتوبر نونبر دجنبر - - - - - - -
ar-dz جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر - - - - - - -
zh 一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月 - - - - - - -
ja - - - - - - - - - - - - 月 火 水 木 金 土 日
ko - - - - - - - - - - - - 월 화 수 목 금 토 일
vi - - - - - - - - - - - - - - - - - - cn
"""


def _rows() -> Iterator[tuple[str, list[str]]]:
    """Yield the rows. Indented lines continue a row."""
    for row in _TABLE.strip().replace("\n  ", " ").splitlines():
        language, *names = row.split()
        yield language, names


LANGUAGES = dict(_rows())
"""Language -> its 12 months and 7 weekdays."""
