// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {FeeOnTransferToken} from "../../../contracts/mocks/FeeOnTransferToken.sol";
import {GasBurningRecipient} from "../../../contracts/mocks/GasBurningRecipient.sol";
import {LongReturnToken} from "../../../contracts/mocks/LongReturnToken.sol";
import {MintableNft} from "../../../contracts/mocks/MintableNft.sol";
import {NoReturnToken} from "../../../contracts/mocks/NoReturnToken.sol";
import {PlainToken} from "../../../contracts/mocks/PlainToken.sol";
import {RebasingToken} from "../../../contracts/mocks/RebasingToken.sol";
import {ReentrantTarget} from "../../../contracts/mocks/ReentrantTarget.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {RejectingRecipient} from "../../../contracts/mocks/RejectingRecipient.sol";
import {ReturndataBomb} from "../../../contracts/mocks/ReturndataBomb.sol";
import {ReturnsFalseToken} from "../../../contracts/mocks/ReturnsFalseToken.sol";
import {RevertsOnZeroToken} from "../../../contracts/mocks/RevertsOnZeroToken.sol";
import {TradingPost} from "../../../contracts/mocks/TradingPost.sol";
import {LocalTether} from "../../../contracts/service/currencies/LocalTether.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title ProxyAdversariesTest
/// @notice Each path of money through proxy and executor against each adversary. Every test states the outcome on every path,
/// one letter each, in the order of `Path`. No call has a minimum.
///
///     .  works exactly, twice, and nothing stays     p  TransferFromFailed   a  ApproveFailed
///     s  TransferFailed        e  ETHTransferFailed   t  TokenHasNoCode       g  TargetHasNoCode
///     o  UnapprovedOutflow     x  StepFailed
contract ProxyAdversariesTest is ProxyFixture {
    /// @dev `Value` buys the token in the call with native currency, `Ahead` with native currency that was sent before.
    enum Path {
        ProxySpend,
        ProxyExecute,
        ProxyValue,
        ProxyNft,
        ExecutorSpend,
        ExecutorExecute,
        ExecutorValue,
        ExecutorAhead,
        ExecutorNft
    }

    uint256 private constant PATHS = 9;
    uint256 private constant AMOUNT = 1_000_000;
    uint256 private constant TAKEN = 250_000;
    uint256 private constant CHANGE = 5;
    uint256 private constant VALUE = 1_000;
    uint256 private constant PRICE = 600;
    uint256 private constant ENOUGH_GAS = 4_000_000;

    TradingPost private _post;
    MintableNft private _nft;
    uint256 private _nftId;

    /// @dev The parties of the next call; a test replaces one of them by an adversary.
    address private _money;
    address private _payee;
    address private _spender;
    bytes private _data;
    uint256 private _taken;
    uint256 private _gas;
    /// @dev Who is armed to call back, and whom it calls.
    address private _reentrant;
    bool private _callsProxy;
    mapping(address reentrant => uint256 times) private _fired;
    address private _caller;
    uint256 private _callers;

    function setUp() public {
        _deployProxy();
        _post = new TradingPost();
        _nft = new MintableNft();
        VM.deal(address(_post), 1 ether);
        _meetPeacefully(address(new PlainToken()));
    }

    function test_TokensWithoutReturnValuesOrWithTooManyWorkOnEveryPath() public {
        _meetPeacefully(address(new NoReturnToken()));
        _assertOutcomes(".........");
        _meetPeacefully(address(new LongReturnToken(64)));
        _assertOutcomes(".........");
    }

    function test_ATokenThatChangesApprovalsOnlyFromOrToZeroWorksOnEveryPath() public {
        _meetPeacefully(address(new LocalTether(address(this))));
        LocalTether(_money).mint(address(_post), 1_000 * AMOUNT);
        _assertOutcomes(".. ...  .");
    }

    function test_ATokenThatTakesAFeeWorksOnEveryPath() public {
        _meetPeacefully(address(new FeeOnTransferToken(1_000)));
        for (uint256 i; i < PATHS; ++i) {
            _bring(Path(i));
            (bool success, ) = _run(Path(i));
            // Without a minimum, the proxy requires all that it pulled.
            _assertEq(success, Path(i) > Path.ProxyNft || Path(i) == Path.ProxyValue);
        }
    }

    function test_RevertWhen_ATokenReturnsFalse() public {
        ReturnsFalseToken token = new ReturnsFalseToken();
        _meetPeacefully(address(token));
        bool[3][3] memory refusals = [[true, false, false], [false, true, false], [false, false, true]];
        bytes[3] memory outcomes = [bytes("sssssssss"), "ppxpxxxxx", "aaaaaaaaa"];
        for (uint256 i; i < 3; ++i) {
            for (uint256 path; path < PATHS; ++path) {
                token.setRefusals(false, false, false);
                _bring(Path(path));
                token.setRefusals(refusals[i][0], refusals[i][1], refusals[i][2]);
                _assertRefused(Path(path), outcomes[i][path]);
            }
        }
    }

    function test_RevertWhen_ATokenThatRevertsOnZeroIsTakenInPart() public {
        _meetPeacefully(address(new RevertsOnZeroToken()));
        _assertOutcomes("aaaaaaaaa");
        // Of another, nothing is left to revoke or to sweep.
        _meetPeacefully(address(new RevertsOnZeroToken()));
        _take(AMOUNT);
        _assertOutcomes(".........");
    }

    function test_RevertWhen_ATokenBlockedARecipientATargetOrTheCaller() public {
        BlocklistToken token = new BlocklistToken();
        _meetPeacefully(address(token));
        bytes[3] memory outcomes = [bytes("sssssssss"), "xxxxxxxxx", "pp.p....."];
        for (uint256 i; i < 3; ++i) {
            for (uint256 path; path < PATHS; ++path) {
                _bring(Path(path));
                address blocked = [_payee, _spender, _caller][i];
                token.setBlocked(blocked, true);
                if (outcomes[i][path] == ".") _assertWorks(Path(path));
                else _assertRefused(Path(path), outcomes[i][path]);
                token.setBlocked(blocked, false);
            }
        }
    }

    function test_RevertWhen_ATokensBalancesShrinkInTheCall() public {
        RebasingToken token = new RebasingToken();
        ReentrantTarget target = new ReentrantTarget();
        for (uint256 path; path < PATHS; ++path) {
            _meetPeacefully(address(token));
            _spendNothing(address(target));
            _bring(Path(path));
            target.arm(address(token), abi.encodeCall(token.rebase, (1, 2)));
            _assertRefused(Path(path), "o");
            _bring(Path(path));
            target.arm(address(token), abi.encodeCall(token.rebase, (2, 1)));
            uint256 before = 2 * token.balanceOf(_payee);
            uint256 arrived = _arrived(Path(path));
            (bool success, ) = _run(Path(path));
            _assertEq(success, true);
            _assertEq(token.balanceOf(_payee) - before, 2 * arrived);
        }
    }

    function test_ATokenATargetOrARecipientThatCallsBackIsRefusedAndThePathWorks() public {
        for (uint256 i; i < 6; ++i) {
            _callsProxy = i % 2 == 1;
            _meetPeacefully(i < 2 ? address(new ReentrantToken()) : address(new PlainToken()));
            _reentrant = i < 2 ? _money : address(new ReentrantTarget());
            if (i / 2 == 1) _spendNothing(_reentrant);
            if (i / 2 == 2) _payee = _reentrant;
            _assertOutcomes(".........");
        }
    }

    function test_RevertWhen_ARecipientRejectsNativeMoneyOrBurnsAllGas() public {
        _payee = address(new RejectingRecipient());
        _assertOutcomes("eeeeeeeee");
        _payee = address(new GasBurningRecipient(ENOUGH_GAS));
        _gas = ENOUGH_GAS / 4;
        _assertOutcomes("eeeeeeeee");
        _payee = address(new GasBurningRecipient(ENOUGH_GAS / 8));
        _assertOutcomes(".........");
    }

    function test_RevertWhen_ATargetRevertsOrBurnsAllGas() public {
        _spendNothing(address(new RejectingRecipient()));
        _assertOutcomes("xxxxxxxxx");
        _spendNothing(address(new GasBurningRecipient(ENOUGH_GAS)));
        _gas = ENOUGH_GAS / 4;
        _assertOutcomes("xxxxxxxxx");
        _spendNothing(address(new GasBurningRecipient(ENOUGH_GAS / 8)));
        _assertOutcomes(".........");
    }

    /// @dev The buffer costs its target more than two million gas, and would cost a caller that copies it as much again.
    function test_AHugeAnswerOfATargetOrARecipientIsNotCopied() public {
        ReturndataBomb bomb = new ReturndataBomb(1_000_000, false);
        _gas = 3_500_000;
        _spendNothing(address(bomb));
        _assertOutcomes(".........");
        bomb.configure(1_000_000, true);
        _assertOutcomes("xxxxxxxxx");
        _meetPeacefully(address(new PlainToken()));
        (_gas, _payee) = (3_500_000, address(bomb));
        bomb.configure(1_000_000, false);
        _assertOutcomes(".........");
    }

    function test_RevertWhen_TokenOrTargetHasNoCode() public {
        _spendNothing(STRANGER);
        _assertOutcomes("ggggggggg");
        _meetPeacefully(STRANGER);
        _assertOutcomes("ttttttttt");
    }

    function _meetPeacefully(address token) private {
        (_money, _payee, _spender) = (token, RECIPIENT, address(_post));
        (_gas, _reentrant) = (0, address(0));
        _take(TAKEN);
    }

    function _take(uint256 amount) private {
        _taken = amount;
        _data = abi.encodeCall(_post.take, (0, IERC20(_money), amount, CHANGE));
    }

    /// @dev A target that accepts any call.
    function _spendNothing(address target) private {
        (_spender, _taken, _gas) = (target, 0, 0);
        _data = abi.encodePacked(hex"deadbeef", uint256(0));
    }

    function _assertOutcomes(bytes memory outcomes) private {
        for (uint256 i; i < PATHS; ++i) {
            if (outcomes[i] == " ") continue;
            _bring(Path(i));
            if (outcomes[i] != ".") {
                _assertRefused(Path(i), outcomes[i]);
                continue;
            }
            _assertWorks(Path(i));
            _bring(Path(i));
            _assertWorks(Path(i));
        }
    }

    function _assertWorks(Path path) private {
        ReentrantTarget reentrant = ReentrantTarget(payable(_reentrant));
        if (_reentrant != address(0)) _arm(reentrant);
        uint256[2] memory before = [_balanceOf(_money, _payee), _payee.balance];
        uint256 swept = _arrived(path) - _taken;
        uint256 change = _taken == 0 ? 0 : CHANGE;
        if (_isBought(path)) change += VALUE - PRICE;
        (bool success, bytes memory reason) = _run(path);
        _assertEq(reason, "");
        _assertEq(success, true);
        _assertEq(_balanceOf(_money, _payee) - before[0], swept);
        _assertEq(_payee.balance - before[1], change);
        if (_taken != 0) _assertEq(_post.lastAvailable(), swept + _taken);
        if (path == Path.ProxyNft || path == Path.ExecutorNft) _assertEq(_nft.ownerOf(_nftId), RECIPIENT);
        address[2] memory ours = [address(_proxy), _executor];
        for (uint256 i; i < 2; ++i) {
            _assertEq(_balanceOf(_money, ours[i]) + ours[i].balance, 0);
            _assertEq(IERC20(_money).allowance(ours[i], _spender), 0);
        }
        if (_reentrant == address(0)) return;
        _assertEq(reentrant.fired(), ++_fired[_reentrant]);
        _assertEq(reentrant.lastReturnData(), abi.encodePacked(IBalanceActions.Reentrancy.selector));
    }

    /// @dev The adversary tries to sweep everything to an attacker.
    function _arm(ReentrantTarget reentrant) private {
        IBalanceActions.Asset[] memory loot = _assets(_asset(address(0)), _asset(_money));
        (loot[0].recipient, loot[1].recipient) = (STRANGER, STRANGER);
        reentrant.arm(
            _callsProxy ? address(_proxy) : _executor,
            abi.encodeCall(IBalanceActions.execute, (loot, _noSteps()))
        );
    }

    function _assertRefused(Path path, bytes1 outcome) private {
        bytes memory before = _world();
        (bool success, bytes memory reason) = _run(path);
        _assertEq(success, false);
        bytes4 selector = IBalanceActions.StepFailed.selector;
        if (outcome == "p") selector = bytes4(keccak256("TransferFromFailed()"));
        if (outcome == "a") selector = bytes4(keccak256("ApproveFailed()"));
        if (outcome == "s") selector = bytes4(keccak256("TransferFailed()"));
        if (outcome == "e") selector = bytes4(keccak256("ETHTransferFailed()"));
        if (outcome == "t") selector = TokenReads.TokenHasNoCode.selector;
        if (outcome == "g") selector = IBalanceActions.TargetHasNoCode.selector;
        if (outcome == "o") selector = IBalanceActions.UnapprovedOutflow.selector;
        _assertSelector(reason, selector);
        _assertEq(_world(), before);
    }

    /// @dev Provides the money of a new caller; what a refused call left on the executor is spent with it.
    function _bring(Path path) private {
        _caller = address(uint160(uint256(keccak256(abi.encode("caller", ++_callers)))));
        VM.deal(_caller, VALUE);
        VM.deal(_executor, path == Path.ExecutorAhead ? VALUE : 0);
        if (_money.code.length == 0 || _isBought(path)) return;
        bool viaProxy = path < Path.ExecutorSpend;
        address holder = viaProxy ? _caller : _executor;
        uint256 held = _balanceOf(_money, holder);
        if (held < AMOUNT) PlainToken(_money).mint(holder, AMOUNT - held);
        if (!viaProxy) return;
        VM.prank(_caller);
        (bool success, ) = _money.call(abi.encodeCall(IERC20.approve, (address(_proxy), AMOUNT)));
        success;
    }

    function _isBought(Path path) private pure returns (bool) {
        return path == Path.ProxyValue || path == Path.ExecutorValue || path == Path.ExecutorAhead;
    }

    function _arrived(Path path) private view returns (uint256) {
        uint256 held = _balanceOf(_money, _executor);
        return path < Path.ExecutorSpend || _isBought(path) ? AMOUNT + held : held;
    }

    function _run(Path path) private returns (bool success, bytes memory reason) {
        bool viaProxy = path < Path.ExecutorSpend;
        bytes memory call;
        if (path == Path.ProxySpend || path == Path.ExecutorSpend) {
            call = abi.encodeCall(IBalanceActions.spend, (_money, 0, _spender, 4, _data, _payee));
        } else {
            call = _execution(path);
        }
        bool sends = path == Path.ProxyValue || path == Path.ExecutorValue;
        address entry = address(_entry(viaProxy));
        VM.prank(_caller);
        (success, reason) = entry.call{gas: _gas == 0 ? gasleft() : _gas, value: sends ? VALUE : 0}(call);
    }

    function _execution(Path path) private returns (bytes memory) {
        IBalanceActions.Asset[] memory assets = _assets(_asset(address(0)), _asset(_money));
        (assets[0].recipient, assets[1].recipient) = (_payee, _payee);
        IBalanceActions.Step memory spending = _step(_spender, _data);
        spending.approvedToken = _money;
        spending.splices = new IBalanceActions.Splice[](1);
        spending.splices[0] = IBalanceActions.Splice({offset: 4, token: _money});
        if (_isBought(path)) {
            IBalanceActions.Step memory buying = _step(
                address(_post),
                abi.encodeCall(_post.sell, (PlainToken(_money), AMOUNT))
            );
            buying.value = PRICE;
            return abi.encodeCall(IBalanceActions.execute, (assets, _steps(buying, spending)));
        }
        if (path == Path.ProxyExecute || path == Path.ExecutorExecute) {
            return abi.encodeCall(IBalanceActions.execute, (assets, _steps(spending)));
        }
        bytes memory mint = abi.encodeCall(_nft.mint, (_executor, ++_nftId));
        return
            abi.encodeCall(
                IBalanceActions.executeWithNftRecipient,
                (
                    IBalanceActions.NftExecution({
                        assets: assets,
                        steps: _steps(spending, _step(address(_nft), mint)),
                        nftRecipient: RECIPIENT
                    })
                )
            );
    }

    function _world() private view returns (bytes memory) {
        address[5] memory parties = [_caller, address(_proxy), _executor, _payee, _spender];
        uint256[10] memory balances;
        for (uint256 i; i < 5; ++i) {
            balances[i] = parties[i].balance;
            if (_money.code.length != 0) balances[5 + i] = _balanceOf(_money, parties[i]);
        }
        return abi.encode(balances);
    }
}
